// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of a server without what could drive the terminal or hide what is said. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unprintable, "")
}
