import { afterAll, describe, expect, test } from "bun:test"
import { createProject } from "../fixtures/project.ts"

const project = createProject({
  files: {
    "args.ts": "console.log(JSON.stringify(process.argv.slice(2)))",
    "sub/lib.ts": "export const answer: number = 42",
    "sub/here.ts": 'import { answer } from "./lib.ts"\nconsole.log(answer, process.cwd())',
    "plain.js": 'import { answer } from "./sub/lib.ts"\nconsole.log("js", await Promise.resolve(answer))',
    "node_modules/local-package/package.json": '{"name":"local-package","type":"module","main":"index.js"}',
    "node_modules/local-package/index.js": 'export const greet = (name) => "hello " + name',
    "package.ts": 'import { greet } from "local-package"\nconsole.log(greet("you"))',
    "main.ts": "export async function main(...args: string[]) { await Bun.sleep(10); console.log(args.join('+')) }",
    "default.ts": "export default async (...args: string[]) => { await Bun.sleep(10); console.log(args.length) }",
    "guarded.ts": "export async function main() { console.log('once') }\nif (import.meta.main) await main()",
    "guarded.cjs": "module.exports = () => console.log('once')\nif (require.main === module) module.exports()",
    "unguarded.ts": "// no import.meta.main here\nexport function main() { console.log('once') }",
    "floating.ts": 'async function main() { await Bun.sleep(60); console.log("done") }\nmain()',
    "forgotten.ts": 'setInterval(() => {}, 1000)\nexport default async () => console.log("over")',
    "meta.ts": "console.log(import.meta.main)",
    "big.ts": 'export default () => { process.stdout.write("x".repeat(3_000_000) + "\\n") }',
    "big-forgotten.ts":
      'setInterval(() => {}, 1000)\nexport default () => { process.stdout.write("x".repeat(3_000_000) + "\\n") }',
    "big-failure.ts": 'process.stdout.write("x".repeat(3_000_000) + "\\n")\nthrow new Error("after all that")',
    "exit.ts": "process.exit(3)",
    "code.ts": "process.exitCode = 7\nexport default async () => {}",
    "bytes.ts": "process.stdout.write(new Uint8Array([0, 255, 10, 254]))",
    "cat.ts": "process.stdout.write((await Bun.stdin.text()).toUpperCase())",
    "workspace.ts":
      'import { workspace } from "mcp-exec"\nawait Bun.write(workspace + "/out.txt", "x")\nconsole.log(workspace)',
  },
})
afterAll(() => project[Symbol.dispose]())

describe("a script", () => {
  test("gets exactly the user's arguments, whatever they look like", async () => {
    const args = ["--help", "a.ts", "--sandbox", "--json", "-e", "--", "", "two words", "--timeout=1"]
    const { code, stdout } = await project.run(["exec", "args.ts", ...args])
    expect({ code, args: JSON.parse(stdout) }).toEqual({ code: 0, args })
  })

  test("after -- may have a name that begins with a dash", async () => {
    project.write({ "-odd.ts": 'console.log("odd")' })
    expect((await project.run(["exec", "--", "-odd.ts"])).stdout).toBe("odd\n")
  })

  test("runs in the folder of the user and imports relative to itself", async () => {
    const { stdout } = await project.run(["exec", "sub/here.ts"])
    expect(stdout).toBe(`42 ${project.directory}\n`)
  })

  test("may be JavaScript with top-level await", async () => {
    expect((await project.run(["exec", "plain.js"])).stdout).toBe("js 42\n")
  })

  test("finds packages in the node_modules beside it", async () => {
    expect((await project.run(["exec", "package.ts"])).stdout).toBe("hello you\n")
  })

  test("is the main module", async () => {
    expect((await project.run(["exec", "meta.ts"])).stdout).toBe("true\n")
  })

  test("can be named by an absolute path, from anywhere", async () => {
    const { stdout } = await project.run(["exec", project.path("sub/here.ts")], { cwd: project.path("sub") })
    expect(stdout).toBe(`42 ${project.path("sub")}\n`)
  })

  test("knows the workspace, which is made when it is first needed", async () => {
    using own = createProject({ files: { "w.ts": "" }, servers: {} })
    own.write({ "w.ts": await Bun.file(project.path("workspace.ts")).text() })
    const { code, stdout, stderr } = await own.run(["exec", "w.ts"])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${own.path("workspace")}\n`, stderr: "" })
    expect(await Bun.file(own.path("workspace/out.txt")).text()).toBe("x")
  })

  test("without a configuration has the folder of the user as its workspace", async () => {
    expect((await project.run(["exec", "workspace.ts"])).stdout).toBe(`${project.directory}\n`)
  })
})

describe("code without a file", () => {
  test("comes from stdin with -, and imports relative to the folder of the user", async () => {
    const stdin =
      'import { answer } from "./sub/lib.ts"\nconst n: number = answer\nconsole.log(n, process.argv.slice(2))'
    const { code, stdout } = await project.run(["exec", "-", "a", "--b"], { stdin })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '42 [ "a", "--b" ]\n' })
  })

  test("comes from the command line with -e, and leaves stdin to the script", async () => {
    const code = "const text: string = await Bun.stdin.text()\nconsole.log(text + process.argv[2])"
    expect((await project.run(["exec", "-e", code, "!"], { stdin: "hi" })).stdout).toBe("hi!\n")
    expect((await project.run(["exec", `--eval=${code}`, "?"], { stdin: "hi" })).stdout).toBe("hi?\n")
  })

  test("leaves no file behind", async () => {
    await project.run(["exec", "-e", "throw 1"])
    const left = [...new Bun.Glob("**/*").scanSync({ cwd: project.path(".cache/run"), onlyFiles: false })]
    expect(left).toEqual([])
  })

  test("may be empty", async () => {
    expect(await project.run(["exec", "-"], { stdin: "" })).toEqual({ code: 0, stdout: "", stderr: "" })
  })
})

describe("the run ends", () => {
  test("when an exported main has settled, which gets the arguments", async () => {
    expect((await project.run(["exec", "main.ts", "a", "b"])).stdout).toBe("a+b\n")
  })

  test("after one call of a function that the script also calls itself when it is the main module", async () => {
    for (const file of ["guarded.ts", "guarded.cjs", "unguarded.ts"]) {
      expect([file, await project.run(["exec", file])]).toEqual([file, { code: 0, stdout: "once\n", stderr: "" }])
    }
    const code = "export const main = () => console.log('once')\nif (import.meta.main) main()"
    expect((await project.run(["exec", "-e", code])).stdout).toBe("once\n")
  })

  test("when an exported default function has settled", async () => {
    expect((await project.run(["exec", "default.ts", "a", "b"])).stdout).toBe("2\n")
  })

  test("only when work that nobody awaited is done too", async () => {
    expect((await project.run(["exec", "floating.ts"])).stdout).toBe("done\n")
  })

  test("with the exported function, although a timer was forgotten", async () => {
    expect(await project.run(["exec", "forgotten.ts"])).toMatchObject({ code: 0, stdout: "over\n" })
  })

  for (const file of ["big.ts", "big-forgotten.ts", "big-failure.ts"]) {
    test(`after all output has been taken: ${file}`, async () => {
      expect((await project.run(["exec", file])).stdout.length).toBe(3_000_001)
    })
  }

  test("with the script's own exit code", async () => {
    expect(await project.run(["exec", "exit.ts"])).toEqual({ code: 3, stdout: "", stderr: "" })
    expect((await project.run(["exec", "code.ts"])).code).toBe(7)
  })
})

describe("the streams", () => {
  test("pass through unmodified", async () => {
    const child = Bun.spawn([process.execPath, "src/main.ts", "exec", project.path("bytes.ts")], { stderr: "ignore" })
    expect([...new Uint8Array(await new Response(child.stdout).arrayBuffer())]).toEqual([0, 255, 10, 254])
  })

  test("give the script the user's stdin", async () => {
    expect((await project.run(["exec", "cat.ts"], { stdin: "loud" })).stdout).toBe("LOUD")
  })

  test("carry nothing of ours when all goes well", async () => {
    expect(await project.run(["exec", "meta.ts"])).toEqual({ code: 0, stdout: "true\n", stderr: "" })
  })
})
