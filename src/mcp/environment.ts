// What a server's process sees of the user's environment. Not all of it: a shell holds credentials
// of many programs, and a server is given its own by the config's `env`.

type Environment = Record<string, string | undefined>

const inherited =
  process.platform === "win32"
    ? /^(APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\(X86\)|PROGRAMW6432|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/i
    : /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+)$/

/** What reaching the network and the package registry takes. */
const network = /^(https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir|npm_config_.+)$/i

/** The environment of a server's process: the inherited part, and on top of it what the config says. */
export function serverEnvironment(env: Environment, own: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    // Exported shell functions look like `() { … }`: code, not data.
    if (value === undefined || value.startsWith("()")) continue
    if (inherited.test(name) || network.test(name)) result[name] = value
  }
  return Object.assign(result, own)
}
