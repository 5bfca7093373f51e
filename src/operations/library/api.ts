// What a program can do with mcp-exec: one function for each operation, with the operation's own input
// and output. Types alone.
import type { Arguments, CallOptions } from "../../guest/guest.ts"
import type { RunResult } from "../../harness/harness.ts"
import type { OnProgress } from "../context.ts"
import type { DiscoverInput, DiscoverOutput } from "../discover/discover.ts"
import type { DiscoverInitOutput, discoverInit } from "../discover/discover-init.ts"
import type { discoverStatus } from "../discover/discover-status.ts"
import type { GenerateInput, GenerateOutput } from "../generate.ts"
import type { ListGeneratedOutput } from "../list-generated.ts"
import type { ListServersInput, ListServersOutput } from "../list-servers.ts"
import type { ListToolsOutput } from "../list-tools.ts"
import type { SandboxBuild } from "../sandbox/build.ts"
import type { SandboxPrune } from "../sandbox/prune.ts"
import type { SandboxStatus } from "../sandbox/status.ts"
import type { SearchInput, SearchOutput } from "../search/search-tools.ts"
import type { AddSkillsInput, AddSkillsOutput } from "../skills/add-skills.ts"
import type { ApproveSkillOutput } from "../skills/approve-skill.ts"
import type { CheckScriptOutput } from "../skills/check-script.ts"
import type { CheckSkillsOutput } from "../skills/check-skills.ts"
import type { ExportSkillsInput, ExportSkillsOutput } from "../skills/export-skills.ts"
import type { ListProjectOutput } from "../skills/list-project.ts"
import type { ListSkillsOutput } from "../skills/list-skills.ts"
import type { NewSkillInput, NewSkillOutput } from "../skills/new-skill.ts"
import type { RemoveSkillOutput } from "../skills/remove-skill.ts"
import type { SaveSkillInput, SaveSkillOutput } from "../skills/save-skill.ts"
import type { ShowNamedOutput } from "../skills/show-named.ts"
import type { ShowSkillOutput } from "../skills/show-skill.ts"
import type { RunScriptOptions, ScriptTarget } from "./run-script.ts"

type DiscoverInitInput = Parameters<typeof discoverInit>[1]
type DiscoverStatusOutput = Awaited<ReturnType<typeof discoverStatus>>

/** What every function that may take long accepts. */
export interface RequestOptions {
  /** Cancels it. */
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

export type ExecOptions = ScriptTarget & RunScriptOptions & Pick<RequestOptions, "signal">

export interface SourceOptions {
  /** The file itself instead of its description. */
  source?: boolean
}

/** An instance of mcp-exec. Failures are McpExecErrors, with a code and mostly a hint. */
export interface McpExec extends AsyncDisposable {
  /** Calls a tool and gives back the value of its result. Failures are ToolErrors. */
  callTool<Result = unknown>(server: string, tool: string, args?: Arguments, options?: CallOptions): Promise<Result>
  /** The same, the tool named `server.tool`. */
  callTool<Result = unknown>(target: string, args?: Arguments, options?: CallOptions): Promise<Result>
  /** Runs a script in a process of its own. One that fails is a result; rejects when none could be started. */
  exec(options: ExecOptions): Promise<RunResult>
  /** What can be known to be wrong with a script before it runs. */
  checkScript(script: ScriptTarget): Promise<CheckScriptOutput>
  /** Writes what the servers offer to servers/, as TypeScript. */
  generate(input?: GenerateInput, options?: RequestOptions): Promise<GenerateOutput>
  /** Calls tools that change nothing, to learn the types of their results. */
  discover(input?: DiscoverInput, options?: RequestOptions): Promise<DiscoverOutput>
  /** Writes which tools `discover` may call, and with what. */
  discoverInit(input?: DiscoverInitInput, options?: RequestOptions): Promise<DiscoverInitOutput>
  /** How well the type of each tool's result is known. Starts no server. */
  discoverStatus(input?: { targets?: string[] }): Promise<DiscoverStatusOutput>
  /** Finds generated tools, and skills, by words. Starts no server. */
  search(query: string, options?: Omit<SearchInput, "query">): Promise<SearchOutput>
  /** The configured servers; with `check`, also whether each can be reached. */
  listServers(input?: Partial<ListServersInput>, options?: RequestOptions): Promise<ListServersOutput>
  /** The tools that a server offers right now. */
  listTools(server: string, options?: RequestOptions): Promise<ListToolsOutput>
  /** The skills and the generated servers. */
  list(): Promise<ListProjectOutput>
  /** What has been generated: all servers, or what one of them offers. */
  listGenerated(server?: string): Promise<ListGeneratedOutput>
  /** A skill, a generated server, or one of its tools, for a reader. */
  show(name: string, options?: SourceOptions): Promise<ShowNamedOutput>
  /** Is an MCP server for others: over HTTP, or on two streams. It has connections of its own. */
  serve(where: ServeOptions): Promise<Serving>
  readonly skills: Skills
  readonly sandbox: Sandbox
  /** Cancels what is under way, ends every process and connection. `await using` does it by itself. */
  close(): Promise<void>
}

export type ServeOptions =
  | {
      /** 0 takes a free one. */
      port: number
      /** 127.0.0.1 when absent. Any that other machines reach needs a token. */
      host?: string
      /** What clients must send as `Authorization: Bearer …`; at least 16 characters. */
      token?: string
    }
  | { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }

export interface Serving extends AsyncDisposable {
  /** Where clients connect, over HTTP. */
  readonly url: string | undefined
  /** Settles when it is over: closed, or left by the one client that two streams can have. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export interface Skills {
  list(): Promise<ListSkillsOutput>
  show(name: string, options?: SourceOptions): Promise<ShowSkillOutput>
  /** Checks the named skills, or all: declarations, types, servers, approvals. */
  check(names?: string[]): Promise<CheckSkillsOutput>
  /** Writes a small skill that runs as it is, to be changed. */
  create(input: NewSkillInput): Promise<NewSkillOutput>
  /** Makes a skill of a script: a file, or the last run that used a tool and ended well. */
  save(input: SaveSkillInput): Promise<SaveSkillOutput>
  /** Adds skills from a path, a git or https address, or an npm package. Nothing of them runs. */
  add(input: AddSkillsInput): Promise<AddSkillsOutput>
  /** Takes a skill that was added as it is now. */
  approve(name: string): Promise<ApproveSkillOutput>
  remove(name: string): Promise<RemoveSkillOutput>
  /** Writes a SKILL.md for each skill where an agent looks for them. */
  export(input: ExportSkillsInput): Promise<ExportSkillsOutput>
}

export interface Sandbox {
  status(): Promise<SandboxStatus>
  /** Makes the image now, so that the first sandboxed run need not. */
  build(): Promise<SandboxBuild>
  /** Removes containers and images that nobody uses any more. */
  prune(): Promise<SandboxPrune>
}
