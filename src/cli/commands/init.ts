import type { Command } from "@commander-js/extra-typings"
import type { InitInput, InitOutput, InitStep } from "../../operations/init/init.ts"
import { shortList } from "../../operations/init/short-list.ts"
import { printable } from "../../printable.ts"
import { canAsk, confirm } from "../confirm.ts"
import { addGlobalOptions } from "../globals.ts"
import type { CliIo } from "../io.ts"
import type { Output } from "../output.ts"
import { alignColumns, firstLine } from "../text.ts"
import { withContext } from "../with-context.ts"

/** `mcp-exec init`: makes a folder ready. */
export function registerInit(program: Command, io: CliIo): void {
  const command = program
    .command("init")
    .summary("set up this folder: configuration, servers/, a skill, instructions for agents")
    .description(
      "Makes this folder ready: mcp_config.json, .gitignore, the mapping of #servers/ for editors and other runtimes, " +
        "servers/, workspace/, a first skill. What is there already stays; a second run changes nothing.",
    )
    .option(
      "--from <program...>",
      "bring in the servers of claude, claude-desktop, cursor, vscode, codex, windsurf, gemini, opencode, zed, cline, goose, copilot, or all",
    )
    .option(
      "--agent <name...>",
      "tell an agent how to use this, where it reads that: claude, codex, cursor, copilot, gemini, goose, opencode, vscode, windsurf, zed, cline, or agents for AGENTS.md",
    )
    .option("--force", "replace what differs: servers of the same name, the skill, files that are in the way")
    .option("-y, --yes", "answer every question with yes")
    .action(async ({ from, agent, force, yes }) => {
      await withContext(command, io, async ({ context, output }) => {
        const { init } = await import("../../operations/init/init.ts")
        const input = { from: words(from), agents: words(agent), force: force === true } satisfies InitInput
        const result = await init(context, input)
        const overwrite = await permitted(result.steps.filter(isRefused), { io, yes: yes === true, json: output.json })
        const final = overwrite.length === 0 ? result : merge(result, await init(context, { ...input, overwrite }))
        if (output.json) output.printJson(final)
        else printResult(final, input, output)
        io.exitCode = exitCodeOf(final.steps)
      })
    })
  addGlobalOptions(command)
  command.addHelpText(
    "after",
    `
Examples:
  $ mcp-exec init
  $ mcp-exec init --from claude cursor
  $ mcp-exec init --agent claude`,
  )
}

/** Names may be separated by spaces or commas. */
function words(given: readonly string[] = []): string[] {
  return given.flatMap((word) => word.split(",")).filter((word) => word !== "")
}

function isRefused({ state }: InitStep): boolean {
  return state === "refused"
}

interface Asked {
  from: readonly string[]
  agents: readonly string[]
}

interface Asking {
  io: CliIo
  yes: boolean
  json: boolean
}

/** Which of the files that are in the way may be replaced. */
async function permitted(steps: readonly InitStep[], { io, yes, json }: Asking): Promise<string[]> {
  if (yes) return steps.map(({ path }) => path)
  if (json || !canAsk(io)) return []
  const paths: string[] = []
  for (const step of steps) {
    io.stderr(`${printable(step.path)}: ${reason(step)}\n`)
    if (await confirm(io, `Replace ${printable(step.path)}?`)) paths.push(step.path)
  }
  return paths
}

/** The second run tells what has changed; what the first has done must not be called unchanged. */
function merge(first: InitOutput, second: InitOutput): InitOutput {
  const changed = new Map(first.steps.filter(isChange).map((step) => [step.path, step]))
  return {
    ...second,
    found: first.found,
    notes: [...new Set([...first.notes, ...second.notes])],
    steps: second.steps.map((step) => (step.state === "unchanged" ? (changed.get(step.path) ?? step) : step)),
  }
}

function isChange({ state }: InitStep): boolean {
  return state === "created" || state === "updated"
}

function exitCodeOf(steps: readonly InitStep[]): number {
  const problems = steps.filter(({ state }) => state === "refused" || state === "failed")
  if (problems.some(({ error }) => error?.code.startsWith("E_CONFIG"))) return 3
  return problems.length > 0 ? 1 : 0
}

const colors = {
  created: "green",
  updated: "green",
  unchanged: "dim",
  kept: "yellow",
  refused: "red",
  failed: "red",
} as const

const mostNotes = 50

const nextSteps =
  "Next: mcp-exec ls shows what there is. Your own servers go into the configuration; then mcp-exec generate.\n"
const nextAgent = "An agent learns to use it with mcp-exec init --agent claude (or codex, cursor, …).\n"

function printResult({ steps, notes, found }: InitOutput, { from, agents }: Asked, output: Output): void {
  for (const { title, file, servers } of found) {
    const names = servers.length === 0 ? "no servers" : shortList(servers)
    output.print(`${from.length > 0 ? "imported" : "found"}: ${title}, ${firstLine(`${file}: ${names}`)}\n`)
  }
  const rows = steps.map((step) => [step.state, printable(step.path), reason(step)])
  // Painted after they are aligned: colours have no width.
  output.print(
    alignColumns(rows).replace(/^\w+/gm, (state) =>
      output.paint(colors[state as keyof typeof colors] ?? "bold", state),
    ),
  )
  const hints = new Set(steps.flatMap(({ error }) => error?.hint ?? []))
  for (const hint of hints) output.print(`hint: ${firstLine(hint)}\n`)
  for (const note of notes.slice(0, mostNotes)) output.print(`note: ${firstLine(note)}\n`)
  if (notes.length > mostNotes) output.print(`${notes.length - mostNotes} more notes: see --json\n`)
  if (from.length === 0 && found.length > 0) {
    const programs = [...new Set(found.map(({ program }) => program))]
    output.print(`To bring them in: mcp-exec init --from ${programs.join(" ")}\n`)
  }
  if (steps.some(isRefused)) output.print("Refused files are replaced with --yes, or with --force.\n")
  else if (!steps.some(isChange) && exitCodeOf(steps) === 0)
    output.print("Everything is in place; nothing was changed.\n")
  else if (steps.some(({ path, state }) => path === "servers/" && state === "created"))
    output.print(agents.length > 0 ? nextSteps : nextSteps + nextAgent)
}

function reason({ detail, error }: InitStep): string {
  return firstLine(detail ?? (error === undefined ? "" : `error[${error.code}]: ${error.message}`))
}
