// The library: `import { createMcpExec } from "mcp-exec"`. Each function is one operation, loaded when it is
// first used; there is no logic here, no printing, and nothing that two instances share.
//
// A script that mcp-exec runs finds another module under the same name: the guest (`guest/api.ts`). Its
// functions are exported here too, so that an editor knows them and a skill can be imported by a test;
// outside of a run, those that need a server say so.
import type { CallToolInput } from "./operations/call-tool.ts"
import type { OperationContext } from "./operations/context.ts"
import type { McpExec, RequestOptions, Sandbox, Skills } from "./operations/library/api.ts"
import { Lifetime } from "./operations/library/lifetime.ts"
import { contextOptions, type McpExecOptions, openContext } from "./operations/library/open-context.ts"

export { ConfigError, type ErrorCode, type ErrorDescription } from "./errors.ts"
export type * from "./guest/api.ts"
export {
  arg,
  callTool,
  getPrompt,
  keep,
  listPrompts,
  listResources,
  listServers,
  listTools,
  log,
  McpExecError,
  readResource,
  ServerError,
  scratch,
  searchTools,
  skill,
  state,
  ToolError,
  workspace,
} from "./guest/api.ts"
export type { RunResult } from "./operations/exec.ts"
export type {
  ExecOptions,
  McpExec,
  RequestOptions,
  Sandbox,
  ServeOptions,
  Serving,
  Skills,
} from "./operations/library/api.ts"
export type { ConfigObject, McpExecOptions } from "./operations/library/open-context.ts"
export type { ScriptOutput, ScriptTarget } from "./operations/library/run-script.ts"

/** Opens an instance of mcp-exec. Rejects when its configuration is missing or wrong; connects to nothing yet. */
export async function createMcpExec(options: McpExecOptions = {}): Promise<McpExec> {
  const settled = await contextOptions(options)
  const lifetime = new Lifetime(await openContext(settled))
  return {
    callTool: callToolOf(lifetime),
    exec: ({ signal, ...input }) =>
      lifetime.perform(
        async () => {
          const { runScript } = await import("./operations/library/run-script.ts")
          return (context, script) => runScript(context, script, settled.clock)
        },
        input,
        { signal },
      ),
    checkScript: (script) =>
      lifetime.perform(async () => (await import("./operations/library/check-named.ts")).checkNamedScript, script),
    generate: (input = {}, hooks) =>
      lifetime.perform(async () => (await import("./operations/generate.ts")).generate, input, hooks),
    discover: (input = {}, hooks) =>
      lifetime.perform(async () => (await import("./operations/discover/discover.ts")).discover, input, hooks),
    discoverInit: (input = {}, hooks) =>
      lifetime.perform(async () => (await import("./operations/discover/discover-init.ts")).discoverInit, input, hooks),
    discoverStatus: (input = {}) =>
      lifetime.perform(async () => (await import("./operations/discover/discover-status.ts")).discoverStatus, input),
    search: (query, input) =>
      lifetime.perform(async () => (await import("./operations/search/search-tools.ts")).searchTools, {
        ...input,
        query,
      }),
    listServers: ({ check = false } = {}, hooks) =>
      lifetime.perform(async () => (await import("./operations/list-servers.ts")).listServers, { check }, hooks),
    listTools: (target, hooks) =>
      lifetime.perform(async () => (await import("./operations/list-tools.ts")).listTools, { target }, hooks),
    list: () => lifetime.perform(async () => (await import("./operations/skills/list-project.ts")).listProject, {}),
    listGenerated: (server) =>
      lifetime.perform(async () => (await import("./operations/list-generated.ts")).listGenerated, { server }),
    show: (target, { source = false } = {}) =>
      lifetime.perform(async () => (await import("./operations/skills/show-named.ts")).showNamed, { target, source }),
    serve: (where) =>
      lifetime.perform(async () => {
        const { serve } = await import("./library/serve.ts")
        return async () => lifetime.adopt(await serve(settled, where))
      }, where),
    skills: skillsOf(lifetime),
    sandbox: sandboxOf(lifetime),
    close: () => lifetime.close(),
    [Symbol.asyncDispose]: () => lifetime.close(),
  }
}

type CallRest = [args?: CallToolInput["args"], options?: RequestOptions & Pick<CallToolInput, "raw" | "timeoutMs">]

function callToolOf(lifetime: Lifetime): McpExec["callTool"] {
  const load = async () => {
    const { callTool, callToolInput } = await import("./operations/call-tool.ts")
    return (context: OperationContext, input: unknown) => callTool(context, callToolInput.parse(input))
  }
  return async <Result>(target: string, ...rest: unknown[]): Promise<Result> => {
    const [tool, words] = typeof rest[0] === "string" ? [rest[0], rest.slice(1)] : [undefined, rest]
    const [args = {}, { signal, onProgress, ...options } = {}] = words as CallRest
    const { value } = await lifetime.perform(load, { target, tool, args, ...options }, { signal, onProgress })
    return value as Result
  }
}

function skillsOf(lifetime: Lifetime): Skills {
  return {
    list: () => lifetime.perform(async () => (await import("./operations/skills/list-skills.ts")).listSkills, {}),
    show: (name, { source = false } = {}) =>
      lifetime.perform(async () => (await import("./operations/skills/show-skill.ts")).showSkill, { name, source }),
    check: (names = []) =>
      lifetime.perform(async () => (await import("./operations/skills/check-skills.ts")).checkSkills, { names }),
    create: (input) => lifetime.perform(async () => (await import("./operations/skills/new-skill.ts")).newSkill, input),
    save: (input) => lifetime.perform(async () => (await import("./operations/skills/save-skill.ts")).saveSkill, input),
    add: (input) => lifetime.perform(async () => (await import("./operations/skills/add-skills.ts")).addSkills, input),
    approve: (name) =>
      lifetime.perform(async () => (await import("./operations/skills/approve-skill.ts")).approveSkill, { name }),
    remove: (name) =>
      lifetime.perform(async () => (await import("./operations/skills/remove-skill.ts")).removeSkill, { name }),
    export: (input) =>
      lifetime.perform(async () => (await import("./operations/skills/export-skills.ts")).exportSkills, input),
  }
}

function sandboxOf(lifetime: Lifetime): Sandbox {
  return {
    status: () => lifetime.perform(async () => (await import("./operations/sandbox/status.ts")).sandboxStatus, {}),
    build: () => lifetime.perform(async () => (await import("./operations/sandbox/build.ts")).buildSandbox, {}),
    prune: () => lifetime.perform(async () => (await import("./operations/sandbox/prune.ts")).pruneSandbox, {}),
  }
}
