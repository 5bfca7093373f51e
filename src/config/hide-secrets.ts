// Which parts of a command line or an address are credentials, as far as one can tell by looking.
// Loads nothing.

const hidden = "***"
const secretName = /key|token|secret|passw|auth|credential|bearer/i
// Long, mixed and without a dot, a slash or a space: no name, no version, no path. Such things are keys.
const looksSecret = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w=-]{24,}$|^[\da-f-]{32,}$|^(sk|pk|gh[a-z]|xox[a-z])[-_]\w{8,}/

/** Arguments with what must not be shown replaced by `***`. */
export function hideInArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? ""
    const [flag, value] = arg.startsWith("-") && arg.includes("=") ? arg.split(/=(.*)/s) : [undefined, arg]
    const named = flag ?? (before.startsWith("-") && !before.includes("=") && !arg.startsWith("-") ? before : "")
    if (isReference(value ?? "")) return arg
    const isSecret = secretName.test(named) || /^(\w+:\s*)?bearer\s/i.test(arg) || looksSecret.test(value ?? "")
    if (isSecret) return flag === undefined ? hidden : `${flag}=${hidden}`
    return URL.canParse(arg) && arg.includes("://") ? hideInUrl(arg) : arg
  })
}

/** An address without user, password and query, and with `***` for what looks like a key. */
export function hideInUrl(text: string): string {
  // The part before the first variable may not be a URL by itself: cut what can hold a credential from the text.
  const [address = "", query] = text.split(/[?#](.*)/s)
  const shown = address
    .replace(/^([a-z][\w+.-]*:\/\/)[^/]*@/i, "$1")
    .split("/")
    .map((segment, index) => (index > 2 && looksSecret.test(segment) ? hidden : segment))
    .join("/")
  return query === undefined ? shown : `${shown}?…`
}

/** The query of an address, as arguments are shown: a parameter is a flag with a value. */
export function hideInQuery(text: string): string[] {
  const query = /\?([^#]*)/.exec(text)?.[1] ?? ""
  return query === "" ? [] : hideInArguments(query.split("&").map((parameter) => `--${parameter}`))
}

/** `${VAR}` names a secret without being one. */
function isReference(text: string): boolean {
  return /^\$\{[^}:]*\}$/.test(text)
}
