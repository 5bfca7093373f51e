import { expect, test } from "bun:test"
import { chmodSync, mkdirSync, statSync } from "node:fs"
import { fixtureServer } from "../fixtures/config.ts"
import { createProject } from "../fixtures/project.ts"
import { callScript } from "./daemon-project.ts"

test("a run closes the folder of its socket to others, also one that was made before", async () => {
  using project = createProject({
    servers: { echo: fixtureServer("echo") },
    files: { "a.ts": callScript("echo", "echo") },
  })
  const folder = project.path(".cache/run")
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
  const { code, stderr } = await project.run(["exec", "--no-daemon", "a.ts"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})
