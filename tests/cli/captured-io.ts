// Runs the command line in this process, with what it prints kept instead of printed.
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import type { CliIo, Signal } from "../../src/cli/io.ts"
import { runCli } from "../../src/cli/program.ts"

export interface CapturedIo extends CliIo {
  written: { stdout: string; stderr: string }
  /** What the user types. */
  typed: PassThrough
  raise(signal: Signal): void
}

export interface IoOptions {
  cwd: string
  stdin?: string
  env?: Record<string, string | undefined>
  tty?: boolean
  columns?: number
}

export function captureIo({ cwd, stdin = "", env = {}, tty = false, columns }: IoOptions): CapturedIo {
  const written = { stdout: "", stderr: "" }
  const typed = new PassThrough()
  const listeners = new Set<(signal: Signal) => void>()
  const prompts = new PassThrough()
  prompts.on("data", (chunk) => {
    written.stderr += String(chunk)
  })
  return {
    written,
    typed,
    raise(signal) {
      for (const listener of listeners) listener(signal)
    },
    stdout(text) {
      written.stdout += text
    },
    stderr(text) {
      written.stderr += text
    },
    stdin: async () => stdin,
    isTTY: { stdin: tty, stdout: tty, stderr: tty },
    columns,
    env: { PATH: process.env.PATH, HOME: cwd, LANG: "C.UTF-8", MCP_EXEC_DAEMON: "0", ...env },
    cwd,
    conversation: () => ({ input: typed, output: prompts }),
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush: async () => {},
    exitCode: 0,
  }
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** One command line in one folder. */
export async function run(argv: string[], options: IoOptions): Promise<Ran> {
  const io = captureIo(options)
  const exitCode = await runCli(argv, io)
  return { exitCode, ...io.written }
}

export interface Folder extends AsyncDisposable {
  path: string
  write(name: string, content: unknown): Promise<string>
}

/** A temporary folder, with a configuration when servers are given. */
export async function createFolder(mcpServers?: Record<string, unknown>): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "mcp-exec-cli-"))
  const write = async (name: string, content: unknown) => {
    const file = join(path, name)
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
    return file
  }
  if (mcpServers !== undefined) await write("mcp_config.json", { mcpServers })
  return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
