import { expect, test } from "bun:test"
import { Contexts } from "../../src/server/contexts.ts"
import { createProject, type Project } from "../fixtures/project.ts"

function contextsOf(project: Project): Contexts {
  const env = { MCP_EXEC_CACHE_DIR: project.path(".cache"), PATH: process.env.PATH }
  return new Contexts({ cwd: project.directory, env, log: () => {} })
}

test("a context is shared until the configuration changes, and closed when its last user has gone", async () => {
  using project = createProject({ servers: { own: { type: "builtin", name: "echo" } } })
  const contexts = contextsOf(project)
  const first = await contexts.lease()
  const second = await contexts.lease()
  expect(second.context).toBe(first.context)
  const manager = await first.context.manager()
  project.write({ "mcp_config.json": JSON.stringify({ mcpServers: {}, workspace: "./elsewhere" }) })
  const third = await contexts.lease()
  expect(third.context).not.toBe(first.context)
  expect((await third.context.config()).workspace).toBe(project.path("elsewhere"))
  await first[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
  expect(manager.state).toBe("initialized")
  await second[Symbol.asyncDispose]()
  expect(manager.state).toBe("closed")
  await contexts.close()
})

test("a configuration that could not be read is looked at again", async () => {
  using project = createProject({ files: { "mcp_config.json": "{" } })
  const contexts = contextsOf(project)
  const broken = await contexts.lease()
  await expect(broken.context.config()).rejects.toMatchObject({ code: "E_CONFIG_SYNTAX" })
  await broken[Symbol.asyncDispose]()
  project.write({ "mcp_config.json": "{}" })
  const mended = await contexts.lease()
  expect((await mended.context.config()).servers).toEqual({})
  await contexts.close()
})

test("the folder of the project is where the configuration is, or where we are", async () => {
  using project = createProject({ files: { "mcp_config.json": "{}", "deep/er/x": "" } })
  const deep = new Contexts({ cwd: project.path("deep/er"), env: {}, log: () => {} })
  expect(await deep.directory()).toBe(project.directory)
  using empty = createProject()
  expect(await contextsOf(empty).directory()).toBe(empty.directory)
})
