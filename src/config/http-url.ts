/** True for an absolute URL that the HTTP transports can use. */
export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "")
}
