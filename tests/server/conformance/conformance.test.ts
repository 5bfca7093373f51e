// The official suite against the compiled program. What applies to any server must pass; what needs the
// tools of the suite's own fixture is in the baselines, and one that begins to pass must leave them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { builtProgram } from "../../fixtures/program.ts"
import { createProject, type Project, repository } from "../../fixtures/project.ts"
import { type Listening, startHttp } from "../served.ts"
import scenarios from "./scenarios.json" with { type: "json" }

interface Check {
  id: string
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
}

let project: Project
let server: Listening

beforeAll(async () => {
  project = createProject({ servers: { echo: { type: "builtin", name: "echo" } } })
  server = await startHttp(project, { program: [builtProgram()] })
}, 120_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  project[Symbol.dispose]()
})

for (const [revision, required] of Object.entries(scenarios)) {
  describe(`revision ${revision}`, () => {
    const baseline = join(import.meta.dir, `baseline-${revision}.yml`)
    const excused: string[] = parse(readFileSync(baseline, "utf8")).server

    test("nothing fails but what is expected to, and nothing passes that is not", async () => {
      const results = project.path(revision)
      const bin = join(repository, "node_modules/.bin")
      const words = ["server", "--url", server.url, "--requirements", revision, "--expected-failures", baseline]
      // Looks for the Node of the repository: the suite needs a newer one than a machine may have.
      const suite = Bun.spawn([join(bin, "node"), join(bin, "conformance"), ...words, "-o", results], {
        stdout: "pipe",
        stderr: "pipe",
      })
      const [report, code] = await Promise.all([new Response(suite.stdout).text(), suite.exited])
      expect({ code, report: code === 0 ? "" : report }).toEqual({ code: 0, report: "" })

      const ran = readdirSync(results)
      for (const scenario of required) {
        const folder = ran.find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*$/, "") === `server-${scenario}`)
        const checks: Check[] = JSON.parse(readFileSync(join(results, folder ?? scenario, "checks.json"), "utf8"))
        const bad = checks.filter(({ id, status }) => {
          return (status === "FAILURE" || status === "WARNING") && !excused.includes(`${scenario}:${id}`)
        })
        expect({ scenario, bad }).toEqual({ scenario, bad: [] })
        expect({ scenario, passed: checks.some(({ status }) => status === "SUCCESS") }).toEqual({
          scenario,
          passed: true,
        })
      }
    }, 120_000)

    test("what applies to any server is not excused", () => {
      expect(required.filter((scenario) => excused.includes(scenario))).toEqual([])
    })
  })
}
