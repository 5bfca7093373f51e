import { afterAll, describe, expect, test } from "bun:test"
import { chownSync } from "node:fs"
import { makeView, type ViewRequest } from "../../../src/harness/container/view.ts"
import { createProject } from "../../fixtures/project.ts"

const project = createProject({
  config: {},
  files: { "servers/index.json": "{}", "skills/a.ts": "", "workspace/in.txt": "", ".env": "", "a.ts": "" },
})
afterAll(() => project[Symbol.dispose]())

const { directory, path } = project
const request: ViewRequest = {
  script: { kind: "file", path: path("a.ts") },
  project: directory,
  configFile: path("mcp_config.json"),
  workspace: path("workspace"),
  workspaceMode: undefined,
  keepsOwner: false,
}
const readOnly = (name: string) => ({ source: path(name), target: path(name), mode: "ro" as const })

describe("a script sees", () => {
  test("generated servers, skills and the workspace, and no more of the project", () => {
    expect(makeView(request)).toEqual({
      root: directory,
      mounts: [readOnly("servers"), readOnly("skills"), readOnly("workspace")],
      scratches: ["/workspace", directory],
      workspace: path("workspace"),
      user: "65534:65534",
      warnings: [],
    })
  })

  test("no workspace when it is to see none", () => {
    const view = makeView({ ...request, workspaceMode: "none" })
    expect(view.mounts).toEqual([readOnly("servers"), readOnly("skills")])
    expect(view.workspace).toBe("/workspace")
  })

  test("its own folder, empty but for its files, when it is not in the project", () => {
    const view = makeView({ ...request, script: { kind: "file", path: "/home/me/a.ts" } })
    expect(view).toMatchObject({ root: "/home/me", scratches: ["/workspace", "/home/me", directory] })
  })

  test("nothing of the working directory without a configuration", () => {
    const view = makeView({ ...request, configFile: undefined, workspace: directory })
    expect(view).toMatchObject({
      mounts: [readOnly("servers"), readOnly("skills")],
      workspace: "/workspace",
      warnings: [],
    })
  })

  test("no workspace that holds the configuration, and is told so", () => {
    const view = makeView({ ...request, workspace: directory })
    expect(view.mounts).toEqual([readOnly("servers"), readOnly("skills")])
    expect(view.warnings).toEqual([expect.stringContaining("the configuration file lies in it")])
  })

  test("an empty scratch when there is no workspace yet", () => {
    expect(makeView({ ...request, workspace: path("none") }).workspace).toBe("/workspace")
  })
})

describe("a workspace to write to", () => {
  const writable = { ...request, workspaceMode: "rw" as const }

  test.if(process.getuid?.() === 0)("is written to as its owner, who is not root", () => {
    expect(() => makeView(writable)).toThrow("belongs to root")
    chownSync(path("workspace"), 1234, 1235)
    expect(makeView(writable)).toMatchObject({ user: "1234:1235" })
    expect(makeView({ ...writable, keepsOwner: true })).toMatchObject({ user: "65534:65534" })
    expect(makeView(request)).toMatchObject({ user: "65534:65534" })
  })
})

describe("the sandbox is refused", () => {
  const cases: { name: string; given: Partial<ViewRequest>; want: string }[] = [
    {
      name: "for a workspace that holds the configuration and was asked for",
      given: { workspace: directory, workspaceMode: "ro" },
      want: "the configuration file lies in it",
    },
    {
      name: "for a workspace that nobody has named",
      given: { configFile: undefined, workspace: directory, workspaceMode: "rw" },
      want: "there is no configuration",
    },
    {
      name: "for a workspace that is not there",
      given: { workspace: path("none"), workspaceMode: "rw" },
      want: "does not exist",
    },
    {
      name: "for a script in the root",
      given: { script: { kind: "file", path: "/a.ts" } },
      want: "hide a part of the container",
    },
    {
      name: "for a script in a folder of the system",
      given: { script: { kind: "file", path: "/usr/a.ts" } },
      want: "hide a part of the container",
    },
    {
      name: "for a path that no engine understands",
      given: { script: { kind: "file", path: "/home/a:b/a.ts" } },
      want: "a colon",
    },
  ]
  for (const { name, given, want } of cases) {
    test(name, () => expect(() => makeView({ ...request, ...given })).toThrow(want))
  }
})
