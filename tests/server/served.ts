// The program as an MCP server, and the SDK's own client talking to it.

import { join } from "node:path"
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { type Project, repository } from "../fixtures/project.ts"

export const eras = ["2025-11-25", "2026-07-28"] as const
export type Era = (typeof eras)[number]

export interface Connected extends AsyncDisposable {
  client: Client
  /** Of the server's process, over stdio. */
  pid: number
  stderr(): string
  call(name: string, args?: Record<string, unknown>, options?: object): Promise<Result>
  run(args: Record<string, unknown>, options?: object): Promise<Execution>
}

export interface Result {
  isError?: boolean
  content: { type: string; text?: string; uri?: string }[]
  structuredContent?: Record<string, unknown>
  _meta?: Record<string, unknown>
  text: string
}

export interface Execution {
  ok: boolean
  exitCode: number
  output: string
  error?: { code: string; message: string; hint?: string }
  durationMs: number
  toolCalls: Record<string, unknown>[]
  artifacts?: { uri: string; name: string; mimeType: string; bytes: number }[]
}

export interface ConnectOptions {
  era?: Era
  /** What the client calls itself. */
  name?: string
  /** Default: the source under the runtime of the tests. */
  program?: string[]
  args?: string[]
  env?: Record<string, string>
  capabilities?: ClientCapabilities
  onResourcesChanged?: () => void
  /** Before it connects. */
  prepare?: (client: Client) => void
}

const fromSource = [process.execPath, join(repository, "src/main.ts")]

/** Starts the program in a project and connects to it over stdio. */
export async function connectStdio(project: Project, options: ConnectOptions = {}): Promise<Connected> {
  const { program = fromSource } = options
  const transport = new StdioClientTransport({
    command: program[0] as string,
    args: [...program.slice(1), "serve", ...(options.args ?? [])],
    cwd: project.directory,
    env: environment(project, options.env),
    stderr: "pipe",
  })
  let stderr = ""
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk
  })
  const client = makeClient(options)
  await client.connect(transport)
  return connected(client, transport.pid ?? 0, () => stderr)
}

/** Connects to a server that listens. */
export async function connectHttp(url: string, options: ConnectOptions & { token?: string } = {}): Promise<Connected> {
  const { token } = options
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    ...(token !== undefined && { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  })
  const client = makeClient(options)
  await client.connect(transport)
  return connected(client, 0, () => "")
}

export interface Listening extends AsyncDisposable {
  url: string
  pid: number
  /** All of it, when it has ended. */
  stdout: Promise<string>
  /** Ends it and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number>
}

export interface ListenOptions {
  args?: string[]
  env?: Record<string, string>
  http?: string
  /** Default: the source under the runtime of the tests. */
  program?: string[]
}

/** Starts the program in a project on a free port. */
export async function startHttp(
  project: Project,
  { args = [], env, http = "0", program = fromSource }: ListenOptions = {},
): Promise<Listening> {
  const child = Bun.spawn([...program, "serve", "--http", http, ...args], {
    cwd: project.directory,
    env: environment(project, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  let text = ""
  const decoder = new TextDecoder()
  const found = Promise.withResolvers<string>()
  const read = async () => {
    for await (const chunk of child.stderr) {
      text += decoder.decode(chunk, { stream: true })
      const [, url] = /Serving (\S+)\n/.exec(text) ?? []
      if (url !== undefined) found.resolve(url)
    }
    found.reject(new Error(`it did not listen: ${text}`))
  }
  void read()
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    return await child.exited
  }
  return {
    url: await found.promise,
    pid: child.pid,
    stdout: new Response(child.stdout).text(),
    end,
    async [Symbol.asyncDispose]() {
      await end("SIGKILL")
    },
  }
}

function environment(project: Project, env: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: project.directory,
    MCP_EXEC_CACHE_DIR: project.path(".cache"),
    ...env,
  }
}

function makeClient({ era, name = "tests", capabilities = {}, prepare, onResourcesChanged }: ConnectOptions): Client {
  const client = new Client(
    { name, version: "1" },
    {
      capabilities,
      ...(era === "2026-07-28" && { versionNegotiation: { mode: { pin: era } } }),
      ...(onResourcesChanged && {
        listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged: onResourcesChanged } },
      }),
    },
  )
  prepare?.(client)
  return client
}

function connected(client: Client, pid: number, stderr: () => string): Connected {
  const call = async (name: string, args: Record<string, unknown> = {}, options: object = {}): Promise<Result> => {
    const result = (await client.callTool({ name, arguments: args }, options)) as Omit<Result, "text">
    const text = result.content.flatMap((item) => item.text ?? []).join("\n")
    return { ...result, text }
  }
  return {
    client,
    pid,
    stderr,
    call,
    run: async (args, options) =>
      (await call("execute_script", args, options)).structuredContent as unknown as Execution,
    [Symbol.asyncDispose]: () => client.close(),
  }
}
