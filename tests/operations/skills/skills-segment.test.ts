import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { skillsSegment } from "../../../src/operations/skills/skills-segment.ts"
import { openIndex } from "../../../src/search/open-index.ts"
import { searchIndex } from "../../../src/search/search.ts"
import type { Segment } from "../../../src/search/segment.ts"
import { createProject } from "../../fixtures/project.ts"

const declared = (name: string, description: string) =>
  `import { arg, skill } from "mcp-exec"\nexport default skill({ name: "${name}", description: "${description}", whenToUse: "on fridays" }, async () => 1)\n`

describe("what a search knows of skills", () => {
  const project = createProject({
    files: {
      "skills/report.ts": declared("report", "Writes a summary"),
      "skills/tidy.ts": declared("tidy", "Cleans up"),
    },
  })
  const cache = project.path("cache")
  const make = (cacheDirectory = cache) => skillsSegment({ cacheDirectory }, project.directory)
  const search = (segment: Segment | undefined, query: string) =>
    searchIndex(openIndex([segment]), query).map(({ tool, description }) => [tool, description])
  const segments = () =>
    readdirSync(join(cache, "skills"))
      .map((name) => join(cache, "skills", name))
      .filter((file) => readFileSync(file, "utf8").includes('"buckets"'))
  beforeAll(() => Bun.sleep(120))
  afterAll(() => project[Symbol.dispose]())

  test("is found by their words, and says what they are for", async () => {
    expect(search(await make(), "summary")).toEqual([["report", "Writes a summary"]])
    expect(
      search(await make(), "fridays")
        .map(([name]) => name)
        .sort(),
    ).toEqual(["report", "tidy"])
  })

  test("is taken from the cache until a skill changes", async () => {
    const [file = ""] = segments()
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("Writes a summary", "From the cache"))
    expect(search(await make(), "summary")).toEqual([["report", "From the cache"]])
    project.write({ "skills/report.ts": declared("report", "Draws a diagram") })
    expect(search(await make(), "diagram")).toEqual([["report", "Draws a diagram"]])
    expect(search(await make(), "summary")).toEqual([])
  })

  test("is made anew when the cache is broken, or somebody else's work", async () => {
    await Bun.sleep(120)
    const good = await make()
    const [file = ""] = segments()
    const [server] = good?.servers ?? []
    for (const segment of [
      null,
      {},
      { ...good, format: 0 },
      { ...good, servers: [] },
      { ...good, servers: [{ ...server, name: "github" }] },
      { ...good, servers: [{ ...server, descriptions: [{}, {}] }] },
      { ...good, servers: [server, server] },
      { ...good, buckets: "" },
    ]) {
      writeFileSync(file, JSON.stringify(segment))
      expect(await make()).toEqual(good)
    }
    writeFileSync(file, "{")
    expect(await make()).toEqual(good)
    mkdirSync(project.path("empty"))
    expect(await skillsSegment({ cacheDirectory: cache }, project.path("empty"))).toBeUndefined()
  })

  test("needs no cache", async () => {
    writeFileSync(project.path("not-a-folder"), "")
    expect(search(await make(project.path("not-a-folder")), "diagram")).toEqual([["report", "Draws a diagram"]])
  })
})
