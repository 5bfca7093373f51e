import { expect, test } from "bun:test"
import { copyFileSync, rmSync } from "node:fs"
import { builtProgram } from "../fixtures/program.ts"
import { createProject } from "../fixtures/project.ts"
import { connectStdio } from "./served.ts"

const changes = {
  "is taken away": (program: string) => rmSync(program),
  "makes room for another": (program: string) => {
    rmSync(program)
    copyFileSync("/bin/false", program)
  },
}

for (const [what, change] of Object.entries(changes)) {
  test.skipIf(process.platform !== "linux")(`a server goes on when its program's file ${what}`, async () => {
    using project = createProject({ servers: { files: { type: "builtin", name: "filesystem", args: ["."] } } })
    project.write({ "word.txt": "one" })
    const program = project.path("mcp-exec")
    copyFileSync(builtProgram(), program)
    await using served = await connectStdio(project, { program: [program] })
    change(program)
    const code = 'import { callTool } from "mcp-exec"\nawait callTool("files", "read_text_file", { path: "word.txt" })'
    expect(await served.run({ code: `${code}\nconsole.log("ran")` })).toMatchObject({ ok: true, output: "ran\n" })
  })
}
