// A project as an agent finds it: five servers of its own, files, a repository, a graph, a web site.
// The same every time: what looks like chance comes from a small generator.
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Task, tasks } from "./tasks.ts"

const repository = join(import.meta.dir, "../..")
const node = join(repository, "node_modules/.bin/node")

/** Writes the project, and returns the names of its own servers. `captures` are served beside them. */
export function writeProject(directory: string, captures: readonly string[]): string[] {
  const packages = join(repository, "node_modules")
  const own = {
    files: { type: "builtin", name: "filesystem", args: ["./workspace"] },
    memory: { type: "builtin", name: "memory", env: { MEMORY_FILE_PATH: join(directory, "workspace/graph.jsonl") } },
    web: { type: "builtin", name: "fetch", args: ["--allow-private"] },
    git: { command: node, args: [join(packages, "@cyanheads/git-mcp-server/dist/index.js")], cwd: directory },
    calculator: { type: "builtin", name: "echo" },
  }
  const replayed = captures.map((file, index) => [
    `captured${index}`,
    { command: process.execPath, args: [join(repository, "bench/jobs/list-server.ts"), file] },
  ])
  writeFileSync(
    join(directory, "mcp_config.json"),
    JSON.stringify({ mcpServers: { ...own, ...Object.fromEntries(replayed) } }),
  )
  for (const folder of ["skills", "workspace/invoices", "workspace/logs"]) {
    mkdirSync(join(directory, folder), { recursive: true })
  }
  for (const task of tasks) {
    const { name } = task
    copyFileSync(join(import.meta.dir, `tasks/${name}.ts`), join(directory, `${name}.ts`))
    writeFileSync(join(directory, `skills/${name}.ts`), skillText(task))
  }
  writeInvoices(join(directory, "workspace/invoices"))
  writeLogs(join(directory, "workspace/logs"))
  writeGraph(join(directory, "workspace/graph.jsonl"))
  writeRepository(directory)
  return Object.keys(own)
}

/** Eight articles, as many sites have them: a menu, text, links. */
export function serveArticles(): { url: string; stop(): void } {
  const random = generator(3)
  const words = "server tool schema token agent script broker result model context call type list".split(" ")
  const text = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(" ")
  const pages = Array.from({ length: 8 }, (_, index) => {
    const paragraphs = Array.from({ length: 12 }, (_, at) => {
      const link = `<a href="https://example.com/${index}/${at}">${text(3)}</a>`
      return `<p>${text(60)} ${link}.</p>`
    })
    return `<html><title>Article ${index + 1}</title><body><article><h1>Article ${index + 1}</h1>${paragraphs.join("")}</article></body></html>`
  })
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const page = pages[Number(/article-(\d)$/.exec(request.url)?.[1]) - 1]
      return new Response(page ?? "no such article", {
        status: page === undefined ? 404 : 200,
        headers: { "content-type": "text/html" },
      })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) }
}

/** The first captured lists of a folder, by name. */
export function findCaptures(folder: string, count: number): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"))
  return names
    .sort()
    .slice(0, count)
    .map((name) => join(folder, name))
}

function skillText({ name, description, takesUrl }: Task): string {
  const declared = `name: "${name}", description: "${description}"`
  return takesUrl
    ? `import { arg, callTool, skill } from "mcp-exec"
import { main } from "../${name}.ts"

const args = { url: arg.string({ required: true, description: "where the articles are" }) }
export default skill({ ${declared}, args }, ({ url }) => main(callTool, url))
`
    : `import { skill } from "mcp-exec"
import { main } from "../${name}.ts"

export default skill({ ${declared} }, () => main())
`
}

function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}

function writeInvoices(folder: string): void {
  const random = generator(7)
  const customers = ["Acme", "Globex", "Initech", "Umbrella", "Hooli"]
  for (let number = 1; number <= 60; number++) {
    const items = Array.from({ length: 3 + random(6) }, () => ({
      article: `A-${1000 + random(9000)}`,
      quantity: 1 + random(20),
      price: (100 + random(20_000)) / 100,
    }))
    const due = `2026-${String(1 + random(12)).padStart(2, "0")}-${String(1 + random(28)).padStart(2, "0")}`
    const total = Math.round(items.reduce((sum, { quantity, price }) => sum + quantity * price * 100, 0)) / 100
    const invoice = { number, customer: customers[random(customers.length)], due, paid: random(3) > 0, total, items }
    writeFileSync(join(folder, `${number}.json`), JSON.stringify(invoice, null, 2))
  }
}

function writeLogs(folder: string): void {
  const random = generator(11)
  const routes = ["/", "/login", "/search", "/cart", "/api/items", "/api/orders", "/static/app.js"]
  for (const day of ["monday", "tuesday", "wednesday"]) {
    const lines = Array.from({ length: 400 }, (_, index) => {
      const time = `${String(8 + Math.floor(index / 60)).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`
      return `${time} GET ${routes[random(routes.length)]} 200 ${2 + random(1500)}ms`
    })
    writeFileSync(join(folder, `${day}.log`), `${lines.join("\n")}\n`)
  }
}

function writeGraph(file: string): void {
  const random = generator(5)
  const names = Array.from({ length: 80 }, (_, index) => `service-${index}`)
  const entities = names.map((name) => ({
    type: "entity",
    name,
    entityType: "service",
    observations: [`owned by team ${random(9)}`],
  }))
  const relations = Array.from({ length: 160 }, () => ({
    ...{ type: "relation", from: names[random(80)], to: names[random(80)], relationType: "depends on" },
  }))
  writeFileSync(file, [...entities, ...relations].map((line) => JSON.stringify(line)).join("\n"))
}

function writeRepository(directory: string): void {
  const git = (args: string[], author = "Ada") => {
    const person = { GIT_AUTHOR_NAME: author, GIT_COMMITTER_NAME: author }
    const mail = { GIT_AUTHOR_EMAIL: "a@example.com", GIT_COMMITTER_EMAIL: "a@example.com" }
    const date = { GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" }
    const env = { PATH: process.env.PATH, HOME: directory, ...person, ...mail, ...date }
    const { exitCode, stderr } = Bun.spawnSync(["git", ...args], { cwd: directory, env })
    if (exitCode !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`)
  }
  git(["init", "-q", "-b", "main"])
  const authors = ["Ada", "Grace", "Edsger"]
  for (let index = 0; index < 60; index++) {
    git(
      ["commit", "-q", "--allow-empty", "-m", `change ${index}: adjust what the ${index}th part does`],
      authors[index % 3],
    )
  }
  for (const name of ["next", "fix-login", "docs"]) git(["branch", name])
}
