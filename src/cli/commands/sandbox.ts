import type { Command } from "@commander-js/extra-typings"
import type { SandboxStatus } from "../../operations/sandbox/status.ts"
import { printable } from "../../printable.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec sandbox`: what it is here, making it ready, cleaning up. */
export function registerSandbox(program: Command, io: CliIo): void {
  const group = program
    .command("sandbox")
    .summary("show, prepare or clean up the sandbox")
    .description("The sandbox runs scripts in a container of podman or docker: mcp-exec exec --sandbox.")
  addGlobalOptions(group)
  const status = group
    .command("status")
    .description(
      "Shows the engine, what it enforces here, the image and the containers. Exits with 5 when there is none.",
    )
    .action(async () => {
      await withContext(status, io, async ({ context, output }) => {
        const { sandboxStatus } = await import("../../operations/sandbox/status.ts")
        const result = await sandboxStatus(context)
        if (!result.ok) io.exitCode = 5
        if (output.json) output.printJson(result)
        else printStatus(result, output)
      })
    })
  addGlobalOptions(status)
  const build = group
    .command("build")
    .description("Makes the image and tries the engine out, which the first sandboxed run would do otherwise.")
    .action(async () => {
      await withContext(build, io, async ({ context, output }) => {
        const { buildSandbox } = await import("../../operations/sandbox/build.ts")
        const result = await buildSandbox(context)
        if (output.json) output.printJson(result)
        else output.print(`${result.engine}: ${result.image} is ready (${result.durationMs} ms)\n`)
      })
    })
  addGlobalOptions(build)
  const prune = group
    .command("prune")
    .description(
      "Removes containers whose run is over or which wait for one, and the images of other builds of mcp-exec.\n" +
        "These make theirs again, in seconds, when they need it. What is in use stays.",
    )
    .action(async () => {
      await withContext(prune, io, async ({ context, output }) => {
        const { pruneSandbox } = await import("../../operations/sandbox/prune.ts")
        const result = await pruneSandbox(context)
        if (output.json) output.printJson(result)
        else {
          for (const name of [...result.containers, ...result.images]) output.print(`removed ${printable(name)}\n`)
          if (result.containers.length + result.images.length === 0) output.notice("There was nothing to remove.\n")
        }
      })
    })
  addGlobalOptions(prune)
  group.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec sandbox status
  $ mcp-exec sandbox build
  $ mcp-exec exec --sandbox report.ts`,
  )
}

function printStatus(status: SandboxStatus, output: Output): void {
  const line = (name: string, text: string) => output.print(`${name.padEnd(11)} ${printable(text)}\n`)
  const { engine, enforced, limits, error } = status
  line(
    "sandbox",
    status.enabled ? "on: scripts run in it unless --direct is given" : "off: use --sandbox, or sandbox.enabled",
  )
  if (error !== undefined) {
    line("engine", `none: ${error.message}`)
    if (error.hint !== undefined) line("", `hint: ${error.hint}`)
  }
  if (engine !== undefined) {
    const kind = `${engine.rootless ? "without root" : "as root"}, cgroups ${engine.cgroups}`
    line("engine", `${engine.name} ${engine.version} (${engine.path}), ${kind}`)
    if (engine.channel === "stdio")
      line("", "no socket passes through it: the broker is spoken to over stdin and stdout")
    if (engine.extraFlags.length > 0) line("", `needs here: ${engine.extraFlags.join(" ")}`)
  }
  if (enforced !== undefined) {
    const names = Object.entries(enforced)
    const text = (holds: boolean) => names.filter((entry) => entry[1] === holds).map(([name]) => name)
    line("enforced", text(true).join(", "))
    if (!status.ok) line("", output.paint("red", `NOT enforced: ${text(false).join(", ")}`))
  }
  const { memory, cpus, pids, timeout, maxTimeout, maxOutput } = limits
  line(
    "limits",
    `memory ${memory}, cpus ${cpus}, pids ${pids}, timeout ${timeout} s (at most ${maxTimeout}), output ${maxOutput}`,
  )
  if (status.image !== undefined) line("image", status.image)
  const stale = status.containers.filter(({ isStale }) => isStale).length
  line("containers", `${status.containers.length}, of which ${stale} left over and ${status.warm} warm`)
}
