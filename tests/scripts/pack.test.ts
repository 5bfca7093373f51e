import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { pack } from "../../scripts/pack.ts"
import { createProject } from "../fixtures/project.ts"

/** Runs what chunks have been packed into, and returns what it prints. */
async function run(
  chunks: Record<string, string>,
  wanted: string[][] = [],
): Promise<{ files: string[]; printed: string }> {
  const files = pack(
    Object.entries(chunks).map(([name, text]) => ({ name: `./${name}.js`, text })),
    "./main.js",
    wanted.map((names) => names.map((name) => `./${name}.js`)),
  )
  using project = createProject({ files: Object.fromEntries(files.map((text, index) => [`${index}.js`, text])) })
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, join(project.directory, "0.js")])
  if (exitCode !== 0) throw new Error(stderr.toString())
  return { files, printed: stdout.toString() }
}

describe("packed chunks", () => {
  test("are evaluated once each, in the order of their imports", async () => {
    const { printed } = await run({
      main: 'import "./a.js";import{b as c}from"./b.js";console.log("main",c)',
      a: 'import{b}from"./b.js";console.log("a",b);export{b as a}',
      b: 'console.log("b");var b=1;export{b}',
    })
    expect(printed).toBe("b\na 1\nmain 1\n")
  })

  test("are evaluated when they are wanted, and from the file they are in", async () => {
    const { files, printed } = await run(
      {
        main: 'const{first}=await import("./first.js");console.log(first());const{rest}=await import("./rest.js");console.log(rest)',
        first: 'import{shared}from"./shared.js";function first(){return shared+1}export{first}',
        shared: 'console.log("shared");var shared=1;export{shared}',
        rest: 'import{shared}from"./shared.js";console.log("rest");var other=shared+2;export{other as rest}',
      },
      [["first"]],
    )
    expect(printed).toBe("shared\n2\nrest\n3\n")
    expect(files).toHaveLength(2)
    expect(files[0]).toContain("first()")
    expect(files[0]).not.toContain("other")
  })

  test("may wait at their top level", async () => {
    const { printed } = await run({
      main: 'console.log((await import("./slow.js")).default)',
      slow: "#!/usr/bin/env node\n// @bun\nvar value=await Promise.resolve(3);export{value as default}",
    })
    expect(printed).toBe("3\n")
  })

  test("use the modules of the runtime as they would in a file", async () => {
    const { printed } = await run({
      main: 'import path,{join as j}from"path";import*as os from"node:os";console.log(path.join("a","b"),j("c","d"),typeof os.tmpdir())',
    })
    expect(printed).toBe("a/b c/d string\n")
  })

  test("load the modules of the runtime when they first use them", async () => {
    const { files, printed } = await run({
      main: 'import{createHash as hash}from"crypto";import*as path from"path";import{EventEmitter}from"events";const early=path.sep;class Own extends EventEmitter{}const parts={path,join:path.join,hash:1};function later(){return hash("sha1")}label:for(;;)break label;console.log(early,new path.posix.join.constructor("return 1")(),new EventEmitter().listenerCount("x"),new Own()instanceof EventEmitter,parts.path.sep,parts.hash,typeof later)',
    })
    expect(printed).toBe("/ 1 0 true / 1 function\n")
    expect(files[0]).toContain("return $load0().createHash(")
    expect(files[0]).not.toMatch(/= \$load\d\(\)/)
  })

  test("load them at once when another variable has the same name, or others import it from there", async () => {
    const { files, printed } = await run({
      main: 'import{join as j,sep}from"./a.js";console.log(j("a","b"),sep("x"))',
      a: 'import{join,sep}from"path";function other(sep){return sep}export{join,other as sep}',
    })
    expect(printed).toBe("a/b x\n")
    expect(files[0]).toContain("join = $load0().join, sep = $load0().sep")
  })

  test("can be required, as Bun does it", async () => {
    const { printed } = await run({
      main: 'console.log({...import.meta.require("./a.js")})',
      a: "var a=1;export{a as one}",
    })
    expect(printed).toBe("{\n  one: 1,\n}\n")
  })

  test("keep imports of files that are known only when they run", async () => {
    const { printed } = await run({ main: 'const name="node:path";console.log(typeof(await import(name)).join)' })
    expect(printed).toBe("function\n")
  })

  test("are refused when an export changes later", async () => {
    const changing = { main: 'import"./a.js"', a: "var a=1;function set(){a=2}export{a,set}" }
    await expect(run(changing)).rejects.toThrow("./a.js exports a and changes it later")
  })

  test("are not refused for another variable of that name, or a value that is set while they are evaluated", async () => {
    const { printed } = await run({
      main: 'import{a}from"./a.js";console.log(a)',
      a: "var a;a=1;function other(b){let a;a=b;return a}other(2);export{a}",
    })
    expect(printed).toBe("1\n")
  })

  test("are refused when they import another as a whole", async () => {
    const whole = { main: 'import*as a from"./a.js";console.log(a)', a: "var a=1;export{a}" }
    await expect(run(whole)).rejects.toThrow("./main.js imports ./a.js as a whole")
  })

  test("are refused when they use the packer's own names", async () => {
    await expect(run({ main: "var $part=1" })).rejects.toThrow("has a name that is ours")
    await expect(run({ main: "var $load0=1" })).rejects.toThrow("has a name that is ours")
  })
})
