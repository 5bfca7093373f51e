import { describe, expect, test } from "bun:test"
import { importsOutside } from "../../src/skills/imports-outside.ts"

const outside = (file: string, text: string) =>
  importsOutside(new Map([[file, text]])).map(({ specifier }) => specifier)

describe("an import of a skill from elsewhere", () => {
  const covered: [file: string, text: string][] = [
    ["a.ts", 'import { skill } from "mcp-exec"'],
    ["a.ts", 'import { readFile } from "node:fs/promises"'],
    ["a.ts", 'import { list } from "#servers/github"'],
    ["a.ts", 'import { list } from "../servers/github/index.ts"'],
    ["a.ts", 'import { z } from "zod"\nconst y = require("yaml")'],
    ["a.ts", '// import "./other.ts"\nconst text = \'import "./other.ts"\''],
    ["a.ts", 'Array.from("./other.ts")'],
    ["a/main.ts", 'import "./lib.ts"\nexport * from "./deep/er.ts"'],
    ["a/scripts/main.ts", 'import "../lib.ts"\nimport { x } from "../../../servers/x/index.ts"'],
    ["a/SKILL.md", 'import "../b.ts"'],
  ]
  for (const [file, text] of covered) {
    test(`is covered by its hashes: ${file}: ${text}`, () => {
      expect(outside(file, text)).toEqual([])
    })
  }

  const foreign: [file: string, text: string, specifier: string][] = [
    ["a.ts", 'import "./b.ts"', "./b.ts"],
    ["a.ts", 'import { b } from "../lib/b.ts"', "../lib/b.ts"],
    ["a.ts", "import b from './b/../../b.ts'", "./b/../../b.ts"],
    ["a.ts", 'export { b } from "./b"', "./b"],
    ["a.ts", 'const b = await import("./b.ts")', "./b.ts"],
    ["a.ts", "const b = await import(`./b.ts`)", "./b.ts"],
    ["a.ts", 'const b = require("./b.cjs")', "./b.cjs"],
    ["a.ts", 'import b from "/etc/b.ts"', "/etc/b.ts"],
    ["a.ts", 'import b from "file:///etc/b.ts"', "file:///etc/b.ts"],
    ["a.ts", 'import b from "https://example.com/b.ts"', "https://example.com/b.ts"],
    ["a.ts", 'import b from "../servers/../lib.ts"', "../servers/../lib.ts"],
    ["a/main.ts", 'import "../b/lib.ts"', "../b/lib.ts"],
    ["a/main.ts", 'import ".."', ".."],
    ["a/lib.cjs", 'require("../ab/lib.ts")', "../ab/lib.ts"],
  ]
  for (const [file, text, specifier] of foreign) {
    test(`is not covered: ${file}: ${text}`, () => {
      expect(outside(file, text)).toEqual([specifier])
    })
  }
})
