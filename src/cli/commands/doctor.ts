import type { Command } from "@commander-js/extra-typings"
import type { Check } from "../../operations/doctor-check.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import { type Color, type Output, useColor } from "../output.ts"
import { indentAfterFirst } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec doctor`: what is wrong here, and how to fix it. */
export function registerDoctor(program: Command, io: CliIo): void {
  const command = program
    .command("doctor")
    .summary("check configuration, servers, container engine and terminal")
    .description(
      "Checks the configuration, every enabled server, the container engines, the terminal and the program itself.\n" +
        "Exits with 0 when nothing failed, 3 when the configuration is wrong, 4 when a server failed.",
    )
    .action(async () => {
      await withContext(command, io, async ({ context, output, globals }) => {
        const { doctor } = await import("../../operations/doctor.ts")
        const terminal = {
          stdin: io.isTTY.stdin,
          stdout: io.isTTY.stdout,
          stderr: io.isTTY.stderr,
          color: useColor(io, globals, io.isTTY.stdout),
        }
        const result = await doctor(context, { terminal })
        io.exitCode = result.exitCode
        if (output.json) output.printJson(result)
        else printChecks(result.checks, output)
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec doctor
  $ mcp-exec doctor --config other/mcp_config.json
  $ mcp-exec doctor --json | jq '.checks[] | select(.status == "fail")'`,
  )
}

const colorOf: Record<Check["status"], Color> = { ok: "green", note: "cyan", warn: "yellow", fail: "red" }

function printChecks(checks: Check[], output: Output): void {
  const width = Math.max(...checks.map((check) => nameOf(check).length))
  const indent = " ".repeat(width + 8)
  for (const check of checks) {
    const { status, message, hint, code, durationMs } = check
    const label = output.paint(colorOf[status], status.padEnd(4))
    const time = durationMs === undefined ? "" : ` (${durationMs} ms)`
    const text = `${code === undefined ? "" : `error[${code}]: `}${message}${time}`
    output.print(`${label}  ${nameOf(check).padEnd(width)}  ${indentAfterFirst(printable(text), indent)}\n`)
    if (hint !== undefined) output.print(`${indent}hint: ${indentAfterFirst(printable(hint), indent)}\n`)
  }
  const failures = checks.filter(({ status }) => status === "fail").length
  const summary = failures === 0 ? "Nothing failed." : `${failures} of ${checks.length} checks failed.`
  output.print(`\n${output.paint("bold", summary)}\n`)
}

function nameOf({ area, name }: Check): string {
  return area === "server" || area === "container" ? `${area} ${printable(name)}` : name
}
