import type { CliIo } from "./io.ts"

/** True when there is somebody who can be asked. */
export function canAsk(io: CliIo): boolean {
  return io.isTTY.stdin && io.isTTY.stderr
}

/** Asks a question that yes or no answers. Ctrl-C and the end of input mean no. */
export async function confirm(io: CliIo, question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline")
  const { input, output } = io.conversation()
  const lines = createInterface({ input, output, terminal: io.isTTY.stdin })
  try {
    return await new Promise<boolean>((resolve) => {
      lines.once("close", () => resolve(false))
      lines.once("SIGINT", () => lines.close())
      lines.question(`${question} (yes/no) `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())))
    })
  } finally {
    lines.close()
  }
}
