import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { Artifacts } from "../../src/server/artifacts.ts"
import { createProject } from "../fixtures/project.ts"

describe("an artifact", () => {
  test("is read in slices that make the whole", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const text = Array.from({ length: 30_000 }, (_, at) => `é${at}`).join(" ")
    const { uri, bytes } = artifacts.add("output", "text/plain", text)
    expect(bytes).toBe(Buffer.byteLength(text))
    let read = ""
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const slice = artifacts.read(`${uri}?offset=${offset}&length=40000`)
      read += "text" in slice ? slice.text : ""
      offset = slice._meta.nextOffset
    }
    expect(read).toBe(text)
    expect(artifacts.read(uri)).toMatchObject({ _meta: { offset: 0, length: 50_000, total: text.length } })
    expect(artifacts.read(`${uri}?offset=9999999`)).toMatchObject({ text: "", _meta: { length: 0 } })
  })

  test("of another kind is read as base64", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const { uri } = artifacts.add("image", "image/png", new Uint8Array([1, 2, 3, 4]))
    expect(artifacts.read(`${uri}?offset=1&length=2`)).toMatchObject({ blob: "AgM=", mimeType: "image/png" })
  })

  test("that is not there, or asked for in a wrong way, is an error", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const { uri } = artifacts.add("output", "text/plain", "x")
    expect(() => artifacts.read("mcp-exec://artifacts/../../etc/passwd")).toThrow("There is no artifact")
    expect(() => artifacts.read(`${uri}?offset=-1`)).toThrow("offset=-1 is not a whole number")
  })

  test("is nobody else's to read, and one of at most a hundred", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const uris = Array.from({ length: 105 }, (_, at) => artifacts.add("output", "text/plain", `${at}`).uri)
    const [folder = ""] = readdirSync(project.path("cache/artifacts"))
    const directory = project.path(`cache/artifacts/${folder}`)
    expect(readdirSync(directory)).toHaveLength(100)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(() => artifacts.read(uris[4] as string)).toThrow()
    expect(artifacts.read(uris[5] as string)).toMatchObject({ text: "5" })
    artifacts.close()
    expect(existsSync(directory)).toBe(false)
  })

  test("of a process that was killed is swept away", () => {
    using project = createProject()
    const stale = project.path("cache/artifacts/999999999.dead")
    mkdirSync(stale, { recursive: true })
    new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") }).add("output", "text/plain", "x")
    expect(existsSync(stale)).toBe(false)
  })
})
