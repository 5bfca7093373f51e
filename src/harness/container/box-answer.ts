// What comes out of a container, as one of the answers that there are. Whatever runs in it may have sent it.
import type { BoxAnswer } from "../../guest/box-messages.ts"

/** Whatever it says becomes one of the known answers, with fields of the right kind. */
export function asAnswer(content: Uint8Array): BoxAnswer {
  let answer: Partial<Record<string, unknown>> = {}
  try {
    answer = JSON.parse(new TextDecoder().decode(content)) ?? {}
  } catch {
    // Falls through to the complaint.
  }
  switch (answer.type) {
    case "ready":
    case "input-wanted":
    case "input-taken":
      return { type: answer.type }
    case "exit":
      return { type: "exit", code: exitCode(answer.code), outOfMemory: answer.outOfMemory === true }
    case "facts":
      return answer as BoxAnswer
    case "broker-open":
    case "broker-end":
      return { type: answer.type, id: count(answer.id) }
    case "broker":
      return { type: "broker", id: count(answer.id), text: String(answer.text) }
    case "broker-taken":
      return { type: "broker-taken", id: count(answer.id), length: count(answer.length) }
    default:
      return { type: "failed", message: String(answer.message ?? "the container said something that makes no sense") }
  }
}

function exitCode(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255 ? value : 1
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
