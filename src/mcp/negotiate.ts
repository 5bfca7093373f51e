// Which protocol revision and transport a server speaks. Rules: every server that answers `initialize`
// is spoken to that way over stdio, because some stay silent at anything else; over HTTP the modern
// revision is asked for first, briefly. What took more than one try is remembered.
import { httpStatusOf } from "./http-status.ts"
import { type AttemptOptions, type Link, linkHttp, linkInProcess, linkProcess, linkSse } from "./link.ts"
import type { StdioTransport } from "./stdio-transport.ts"
import { identityOf, type Remote, type Target } from "./transport.ts"
import type { Verdict, VerdictStore } from "./verdicts.ts"

const probeTimeoutMs = 2000
/** The fallback to SSE waits for a stream that a server of the other kind may never begin. */
const sseFallbackMs = 10_000

export interface NegotiationContext extends Omit<AttemptOptions, "era" | "probeTimeoutMs"> {
  verdicts: VerdictStore
  /** A process of the server that has not been spoken to yet. */
  freshProcess(): StdioTransport
}

/** Connects to a server in the way it understands. */
export async function negotiate(target: Target, context: NegotiationContext): Promise<Link> {
  switch (target.kind) {
    case "in-process":
      return linkInProcess(target, { ...context, era: "legacy" })
    case "process":
      return negotiateProcess(identityOf(target), context)
    case "remote":
      return target.sse ? linkSse(target, { ...context, era: "legacy" }) : negotiateRemote(target, context)
  }
}

async function negotiateProcess(identity: string, context: NegotiationContext): Promise<Link> {
  const { freshProcess, verdicts, timeoutMs } = context
  const process = freshProcess()
  process.launch()
  const remembered = await verdicts.read(identity)
  if (remembered?.era === "modern") {
    try {
      // Half of the time, so that a server which has changed and now stays silent can still be asked otherwise.
      return await linkProcess(process, { ...context, era: "modern", probeTimeoutMs: timeoutMs / 2 })
    } catch (error) {
      await dropVerdict(error, identity, context)
    }
  }
  try {
    const first = remembered?.era === "modern" ? freshProcess() : process
    return await linkProcess(first, { ...context, era: "legacy" })
  } catch (error) {
    if (!(await isRefusal(error))) throw error
    const link = await linkProcess(freshProcess(), { ...context, era: "modern" }).catch(() => Promise.reject(error))
    await verdicts.write(identity, { era: "modern", transport: "stdio" })
    return link
  }
}

async function negotiateRemote(target: Remote, context: NegotiationContext): Promise<Link> {
  const { verdicts } = context
  const identity = identityOf(target)
  const remembered = await verdicts.read(identity)
  if (remembered !== undefined) {
    try {
      return await linkRemote(target, remembered, context)
    } catch (error) {
      await dropVerdict(error, identity, context)
    }
  }
  const { link, verdict } = await exploreRemote(target, context)
  await verdicts.write(identity, verdict)
  return link
}

interface Outcome {
  link: Link
  verdict: Verdict
}

async function exploreRemote(target: Remote, context: NegotiationContext): Promise<Outcome> {
  const attempt = async (verdict: Verdict, options: Partial<AttemptOptions> = {}): Promise<Outcome> => ({
    link: await linkRemote(target, verdict, { ...context, ...options }),
    verdict,
  })
  const modern: Verdict = { era: "modern", transport: "http" }
  let probeError: unknown
  try {
    return await attempt(modern, { probeTimeoutMs })
  } catch (error) {
    if (await isFinal(error, context)) throw error
    probeError = error
  }
  try {
    return await attempt({ era: "legacy", transport: "http" })
  } catch (error) {
    if (![400, 404, 405].includes((await httpStatusOf(error)) ?? 0)) throw error
    if (await isTimeout(probeError)) {
      const late = await attempt(modern).catch(() => undefined)
      if (late !== undefined) return late
    }
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(sseFallbackMs)])
    return attempt({ era: "legacy", transport: "sse" }, { signal }).catch(() => Promise.reject(error))
  }
}

function linkRemote(target: Remote, { era, transport }: Verdict, context: Omit<AttemptOptions, "era">): Promise<Link> {
  return transport === "sse" ? linkSse(target, { ...context, era: "legacy" }) : linkHttp(target, { ...context, era })
}

/** What was remembered did not work: forget it, unless another way would fail for the same reason. */
async function dropVerdict(error: unknown, identity: string, context: NegotiationContext): Promise<void> {
  if (await isFinal(error, context)) throw error
  await context.verdicts.forget(identity)
}

async function isFinal(error: unknown, { signal }: NegotiationContext): Promise<boolean> {
  const status = await httpStatusOf(error)
  return signal.aborted || status === 401 || status === 403
}

/** True when the server answered, and said no. */
async function isRefusal(error: unknown): Promise<boolean> {
  const { ProtocolError } = await import("@modelcontextprotocol/client")
  return error instanceof ProtocolError
}

async function isTimeout(error: unknown): Promise<boolean> {
  const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client")
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
}
