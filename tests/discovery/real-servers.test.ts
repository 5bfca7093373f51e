// Types of what real servers answer: TypeScript must accept them, and give them every result that was seen
// for them, and results that were not.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { typeCheck } from "../codegen/typescript.ts"
import { packagePath, packageServer } from "../fixtures/config.ts"
import { installPackage } from "../fixtures/installed.ts"
import { createProject, type Project, repository } from "../fixtures/project.ts"
import { assignment } from "./assignment.ts"

setDefaultTimeout(120_000)

type Calls = Record<string, Record<string, unknown>[]>

interface RealServer {
  /** What is called to learn. */
  learn: Calls
  /** What is called afterwards. */
  later: Calls
  /** Something that its types must say. */
  want: string
  /** What `discover` must be told besides. */
  flags?: string[]
}

const dbhubProgram = "@bytebase/dbhub/dist/index.js"
const dbhub = installPackage({
  name: "@bytebase/dbhub@1.4.0",
  file: dbhubProgram,
  variable: "MCP_EXEC_TEST_DBHUB",
  // Drivers of other databases than the one in the demo.
  options: ["--omit=optional"],
})
let project: Project
const repositoryPath = () => project.path("repository")

beforeAll(async () => {
  project = createProject({
    files: {
      "workspace/a.txt": "one\ntwo\n",
      "workspace/folder/deeper/b.txt": "three\n",
      "repository/a.txt": "one\n",
      "graph.jsonl": [
        { type: "entity", name: "Ada", entityType: "person", observations: ["wrote a program"] },
        { type: "entity", name: "Bob", entityType: "person", observations: [] },
        { type: "relation", from: "Ada", to: "Bob", relationType: "knows" },
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    },
  })
  const node = join(repository, "node_modules/.bin/node")
  project.write({
    "mcp_config.json": JSON.stringify({
      mcpServers: {
        files: packageServer("@modelcontextprotocol/server-filesystem/dist/index.js", project.path("workspace")),
        memory: {
          ...packageServer("@modelcontextprotocol/server-memory/dist/index.js"),
          env: { MEMORY_FILE_PATH: project.path("graph.jsonl") },
        },
        everything: packageServer("@modelcontextprotocol/server-everything/dist/index.js"),
        git: { command: node, args: [packagePath("@cyanheads/git-mcp-server/dist/index.js")] },
        dbhub: { command: node, args: [dbhub.path(dbhubProgram), "--demo", "--transport", "stdio"] },
      },
    }),
  })
  commit("first")
  project.write({ "repository/a.txt": "two\n", "repository/b.txt": "new\n" })
})
afterAll(() => {
  project[Symbol.dispose]()
  dbhub[Symbol.dispose]()
})

function commit(message: string): void {
  const git = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["git", ...args], { cwd: repositoryPath() })
    if (exitCode !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`)
  }
  git("init", "-q", ".")
  git("add", ".")
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", message)
}

const servers: Record<string, () => RealServer> = {
  files: () => ({
    learn: {
      list_directory: [{ path: project.path("workspace") }, { path: project.path("workspace/folder") }],
      directory_tree: [{ path: project.path("workspace") }, { path: project.path("workspace/folder") }],
      read_text_file: [{ path: project.path("workspace/a.txt") }],
      get_file_info: [{ path: project.path("workspace/a.txt") }, { path: project.path("workspace") }],
      list_allowed_directories: [{}],
    },
    later: {
      list_directory: [{ path: project.path("workspace/folder/deeper") }],
      directory_tree: [{ path: project.path("workspace/folder/deeper") }],
      read_text_file: [{ path: project.path("workspace/folder/deeper/b.txt"), head: 1 }],
    },
    want: "export type ListDirectoryResult = { content: string }",
  }),
  memory: () => ({
    learn: {
      read_graph: [{}],
      search_nodes: [{ query: "Ada" }, { query: "nobody" }],
      open_nodes: [{ names: ["Bob"] }],
    },
    later: { search_nodes: [{ query: "person" }], open_nodes: [{ names: ["Ada", "Bob"] }, { names: [] }] },
    want: "entities: SearchNodesEntity[]",
  }),
  everything: () => ({
    learn: {
      echo: [{ message: "hello" }, { message: '{"n": 1}' }],
      "get-sum": [{ a: 1, b: 2 }],
      "get-tiny-image": [{}],
      "get-env": [{}],
      "get-resource-links": [{ count: 2 }, { count: 5 }],
      "get-resource-reference": [{}],
      "get-structured-content": [{ location: "New York" }, { location: "Chicago" }],
      "get-annotated-message": [{ messageType: "error" }, { messageType: "success", includeImage: true }],
    },
    later: {
      echo: [{ message: "again" }],
      "get-resource-links": [{ count: 1 }],
      "get-structured-content": [{ location: "Los Angeles" }],
      "get-annotated-message": [{ messageType: "debug" }],
    },
    want: "export type GetSumResult = string",
  }),
  git: () => ({
    learn: {
      git_log: [{ path: repositoryPath() }, { path: repositoryPath(), maxCount: 1 }],
      git_status: [{ path: repositoryPath() }],
      git_diff: [{ path: repositoryPath() }, { path: repositoryPath(), nameOnly: true }],
      git_reflog: [{ path: repositoryPath() }],
      git_show: [{ path: repositoryPath(), object: "HEAD" }],
    },
    later: { git_log: [{ path: repositoryPath() }], git_status: [{ path: repositoryPath() }] },
    want: "commits: GitLogCommit[]",
  }),
  dbhub: () => ({
    learn: {
      execute_sql: queries(
        "SELECT * FROM employee LIMIT 3",
        "SELECT * FROM department",
        "SELECT 1 AS one; SELECT NULL AS none",
        "SELECT emp_no FROM employee WHERE emp_no < 0",
      ),
      search_objects: [
        { object_type: "schema" },
        { object_type: "table" },
        { object_type: "table", detail_level: "full" },
        { object_type: "table", pattern: "nothing is called so" },
        { object_type: "column", table: "employee", schema: "main", detail_level: "full" },
        { object_type: "index", detail_level: "summary" },
      ],
    },
    later: {
      execute_sql: queries(
        "SELECT count(*) AS n FROM salary; SELECT count(*) FROM title",
        "SELECT dept_name, avg(amount), max(amount) AS most FROM salary JOIN dept_emp USING (emp_no) JOIN department USING (dept_no) GROUP BY 1",
        "SELECT * FROM title LIMIT 5; SELECT * FROM dept_manager LIMIT 1",
        "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('x')",
      ),
      search_objects: [
        { object_type: "view" },
        { object_type: "table", pattern: "dept%", detail_level: "summary", limit: 1 },
        { object_type: "column", table: "salary", schema: "main" },
        { object_type: "index", detail_level: "full" },
      ],
    },
    want: "statements: ExecuteSqlStatement[]",
    // Its server says of execute_sql that it is destructive.
    flags: ["--include-dangerous"],
  }),
}

function queries(...texts: string[]): { sql: string }[] {
  return texts.map((sql) => ({ sql }))
}

describe("types that are discovered from a real server", () => {
  for (const [server, given] of Object.entries(servers)) {
    test.skipIf(server === "dbhub" && !dbhub.isThere)(`take what ${server} answers, then and later`, async () => {
      const { learn, later, want, flags = [] } = given()
      project.write({ "discovery_config.json": JSON.stringify({ servers: { [server]: { safeTools: learn } } }) })
      for (let round = 0; round < 2; round++) {
        const { stdout } = await project.run(["discover", server, ...flags])
        expect(stdout).toContain(`${Object.keys(learn).length} discovered, 0 failed, 0 skipped`)
        if (server === "git" && round === 0) commit("second")
      }
      const learned = await resultsOf(server, learn)
      project.write({ "repository/a.txt": "three\n", "workspace/later.txt": "new\n" })
      const lines = [...learned, ...(await resultsOf(server, later))].map(({ tool, value }) => {
        return assignment(`${typeOf(server, tool)}Result`, value)
      })
      const types = readFileSync(project.path(`servers/${server}/types.discovered.ts`), "utf8")
      expect(types).toContain(want)
      const complaints = await typeCheck(
        new Map([
          ["types.discovered.ts", types],
          ["samples.ts", `import type * as types from "./types.discovered.ts"\n\n${lines.join("\n")}\n`],
        ]),
      )
      expect(complaints).toBe("")
    })
  }
})

/** All results, in one run of a script, so that servers are started once. */
async function resultsOf(server: string, calls: Calls): Promise<{ tool: string; value: unknown }[]> {
  const script = `import { callTool } from "mcp-exec"
const results = []
for (const [tool, given] of Object.entries(${JSON.stringify(calls)}))
  for (const args of given) results.push({ tool, value: await callTool(${JSON.stringify(server)}, tool, args) })
console.log(JSON.stringify(results))`
  const { stdout, stderr } = await project.run(["exec", "--eval", script])
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

function typeOf(server: string, tool: string): string {
  const { servers } = JSON.parse(readFileSync(project.path("servers/index.json"), "utf8"))
  const name: string = servers[server].tools[tool].export
  return name.charAt(0).toUpperCase() + name.slice(1)
}
