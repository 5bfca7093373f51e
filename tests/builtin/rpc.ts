// The smallest MCP client: what a server is sent and answers, without the SDK's own view of it.
import { spawn } from "node:child_process"
import {
  type CallToolResult,
  InMemoryTransport,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server"
import { launchBuiltin } from "../../src/builtin/registry.ts"
import type { BuiltinServerConfig } from "../../src/config/schema.ts"

interface Answer {
  id?: number
  result?: unknown
  error?: { code: number; message: string }
}

export class RpcClient implements AsyncDisposable {
  readonly #send: (message: JSONRPCMessage) => void
  readonly #close: () => Promise<unknown>
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #nextId = 0

  constructor(send: (message: JSONRPCMessage) => void, close: () => Promise<unknown>) {
    this.#send = send
    this.#close = close
  }

  receive(answer: Answer): void {
    this.#waiting.get(answer.id ?? -1)?.(answer)
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Answer> & { id: number } {
    const id = this.#nextId++
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve))
    this.#send({ jsonrpc: "2.0", id, method, params })
    return Object.assign(answer, { id })
  }

  notify(method: string, params: Record<string, unknown> = {}): void {
    this.#send({ jsonrpc: "2.0", method, params })
  }

  async initialize(): Promise<unknown> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    const { result } = await this.request("initialize", params)
    this.notify("notifications/initialized")
    return result
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
    const { result, error } = await this.request("tools/call", { name, arguments: args })
    if (error) throw new Error(error.message)
    return result as CallToolResult
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}

/** Connects to a builtin that runs in this process. */
export async function connectBuiltin(name: BuiltinServerConfig["name"], args: string[] = []): Promise<RpcClient> {
  const launch = await launchBuiltin(builtin(name, args), { directory: "/", workspace: "/" })
  if (launch.kind !== "in-process") throw new Error(`${name} is not in-process`)
  return connectInProcess(launch.connect)
}

/** Connects to what serves the other end of a transport. */
export async function connectInProcess(serve: (transport: Transport) => Promise<void>): Promise<RpcClient> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new RpcClient(
    (message) => void ours.send(message),
    () => ours.close(),
  )
  ours.onmessage = (message) => client.receive(message as Answer)
  await serve(theirs)
  await ours.start()
  await client.initialize()
  return client
}

/** Starts a server that speaks on its stdin and stdout. */
export async function connectChild(command: string[], env: Record<string, string>): Promise<RpcClient> {
  const [program = "", ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] })
  const exited = new Promise((resolve) => child.once("exit", resolve))
  const close = () => {
    child.stdin.end()
    return exited
  }
  const client = new RpcClient((message) => void child.stdin.write(`${JSON.stringify(message)}\n`), close)
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) client.receive(JSON.parse(line))
  })
  await client.initialize()
  return client
}

export function builtin(
  name: BuiltinServerConfig["name"],
  args: string[] = [],
  env: Record<string, string> = {},
): BuiltinServerConfig {
  return { type: "builtin", name, args, env, disabled: false }
}

/** The text of a result's first item. */
export function textOf(result: CallToolResult): string {
  const [item] = result.content
  return item?.type === "text" ? item.text : ""
}
