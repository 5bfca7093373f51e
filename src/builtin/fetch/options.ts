import { ConfigError } from "../../errors.ts"

export interface FetchOptions {
  /** Addresses that are not public may be reached. */
  allowPrivate: boolean
  /** Hosts that may be reached wherever they are. */
  allowedHosts: AllowedHost[]
  /** The largest body, after decompression. */
  maxBytes: number
  /** For everything: names, redirects, body. */
  timeoutMs: number
}

export interface AllowedHost {
  /** As the URL parser spells it, so that it can be compared. */
  hostname: string
  /** Any port when absent. */
  port?: string
}

/** Reads the arguments of the fetch server. Throws a ConfigError that names the wrong one. */
export function parseFetchOptions(args: string[]): FetchOptions {
  const options: FetchOptions = { allowPrivate: false, allowedHosts: [], maxBytes: 5_000_000, timeoutMs: 30_000 }
  for (const arg of args) {
    const [flag, value] = splitFlag(arg)
    if (flag === "--allow-private" && value === undefined) options.allowPrivate = true
    else if (flag === "--allow-host") options.allowedHosts.push(parseHost(arg, value))
    else if (flag === "--max-bytes") options.maxBytes = Math.ceil(parsePositive(arg, value, 1_000_000_000))
    else if (flag === "--timeout") options.timeoutMs = parsePositive(arg, value, 86_400) * 1000
    else throw invalid(arg, "is unknown")
  }
  return options
}

function splitFlag(arg: string): [string, string | undefined] {
  const equals = arg.indexOf("=")
  return equals === -1 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)]
}

function parseHost(arg: string, value = ""): AllowedHost {
  const [, host = "", port] = /^(\[[^\]]*\]|[^:/]*)(?::(\d+))?$/.exec(value) ?? []
  if (host === "" || !URL.canParse(`http://${host}/`)) throw invalid(arg, "must be a host or host:port")
  const { hostname } = new URL(`http://${host}/`)
  return { hostname, ...(port !== undefined && { port: String(Number(port)) }) }
}

function parsePositive(arg: string, value: string | undefined, limit: number): number {
  const number = Number(value || Number.NaN)
  if (!(number > 0 && number <= limit)) throw invalid(arg, `must be a positive number, at most ${limit}`)
  return number
}

function invalid(arg: string, problem: string): ConfigError {
  return new ConfigError("E_CONFIG_INVALID", `The argument ${arg} of the builtin server fetch ${problem}`, {
    hint: "Known are --allow-private, --allow-host=HOST[:PORT], --max-bytes=N and --timeout=SECONDS.",
    details: { argument: arg },
  })
}
