// A run whose servers are a daemon's: what the daemon reports of it, and what it wants from the caller.
import type { Attachment } from "../../broker/daemon-client.ts"
import type { DaemonMessage } from "../../broker/daemon-protocol.ts"
import type { HostOptions } from "../../broker/host.ts"
import { describeError } from "../../errors.ts"
import type { OperationContext } from "../context.ts"
import { namedServers, textOf } from "../prespawn.ts"
import type { ExecInput } from "../start-script.ts"

export type RunEvents = Required<Pick<HostOptions, "onCall" | "onFailed" | "keep">>

/** Passes on what the daemon says of a run. */
export function followRun(context: OperationContext, attachment: Attachment, events: RunEvents): void {
  const questions = new Map<number, AbortController>()
  attachment.listen({
    message: (message) => void react(message),
    lost() {
      for (const question of questions.values()) question.abort()
      context.log("error", "The mcp-exec daemon has ended: calls under way have failed, and no more can be made")
    },
  })
  async function react(message: DaemonMessage): Promise<void> {
    switch (message.type) {
      case "call":
        return events.onCall?.(message.call)
      case "failed":
        return events.onFailed?.(message.failure)
      case "withdrawn":
        return questions.get(message.id)?.abort()
      case "log":
        return context.log(message.level, message.message)
      case "keep":
        return attachment.send(await keep(message))
      case "elicit": {
        const question = new AbortController()
        questions.set(message.id, question)
        const answer = await context.elicit?.(message.request, question.signal)
        questions.delete(message.id)
        return attachment.send({ type: "elicited", id: message.id, answer: answer ?? { action: "decline" } })
      }
    }
  }

  async function keep({ id, name, data }: Extract<DaemonMessage, { type: "keep" }>) {
    try {
      const path = await events.keep?.(name, Buffer.from(data, "base64"))
      return { type: "kept", id, path } as const
    } catch (error) {
      const { code, message, hint } = describeError(error)
      return { type: "kept", id, error: { code, message, ...(hint !== undefined && { hint }) } } as const
    }
  }
}

/** Tells the daemon which servers the script's text names. Only a guess. */
export function announceServers(attachment: Attachment, input: ExecInput, serverNames: readonly string[]): void {
  textOf(input)
    .then((code) => {
      const servers = namedServers(code, serverNames)
      if (servers.length > 0) attachment.send({ type: "warm", servers })
    })
    // A script that cannot be read says so itself.
    .catch(() => {})
}
