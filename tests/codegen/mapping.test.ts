import { describe, expect, test } from "bun:test"
import { type MappedFile, mappedFiles, mapServers } from "../../src/codegen/mapping.ts"

const runtime = "./servers/_runtime.ts"
const wrappers = "./servers/*/index.ts"

interface Case {
  name: string
  file: MappedFile
  given: string
  /** undefined: the file stays as it is. */
  want: string | undefined
  problems?: string[]
}

const cases: Case[] = [
  {
    name: "keeps comments, tabs and trailing commas of a tsconfig.json",
    file: "tsconfig.json",
    given: '{\n\t// ours\n\t"compilerOptions": {\n\t\t"strict": true, // always\n\t},\n}\n',
    want: `{\n\t// ours\n\t"compilerOptions": {\n\t\t"strict": true, // always\n\t\t"paths": {\n\t\t\t"mcp-exec": ["${runtime}"],\n\t\t\t"#servers/*": ["${wrappers}"]\n\t\t},\n\t},\n}\n`,
  },
  {
    name: "starts from the baseUrl of a tsconfig.json",
    file: "tsconfig.json",
    given: '{ "compilerOptions": { "baseUrl": "./src", "paths": { "mcp-exec": ["../servers/_runtime.ts"] } } }',
    want: '{ "compilerOptions": { "baseUrl": "./src", "paths": { "mcp-exec": ["../servers/_runtime.ts"], "#servers/*": ["../servers/*/index.ts"] } } }',
  },
  {
    name: "leaves a name alone that has another meaning",
    file: "tsconfig.json",
    given: '{"compilerOptions":{"paths":{"mcp-exec":["servers/_runtime.ts"],"#servers/*":["./lib/*"]}}}',
    want: undefined,
    problems: [`already has its own compilerOptions.paths.#servers/*, which stays: ["${wrappers}"] was wanted`],
  },
  {
    name: "does not hide the paths that a tsconfig.json inherits",
    file: "tsconfig.json",
    given: '{"extends":"../base.json"}',
    want: undefined,
    problems: [
      `extends another file, whose paths would be lost: add "mcp-exec": ["${runtime}"] and "#servers/*": ["${wrappers}"] there`,
    ],
  },
  {
    name: "adds to a package.json with a byte order mark and Windows lines",
    file: "package.json",
    given: '\uFEFF{\r\n    "name": "x"\r\n}\r\n',
    want: `\uFEFF{\r\n    "name": "x",\r\n    "imports": {\r\n        "#servers/*": "${wrappers}"\r\n    }\r\n}\r\n`,
  },
  {
    name: "does not touch imports that are no object",
    file: "package.json",
    given: '{"imports":5}',
    want: undefined,
    problems: ["has something else where imports should be an object"],
  },
  {
    name: "says so when a deno.json has its map elsewhere",
    file: "deno.json",
    given: '{"importMap":"./map.json"}',
    want: undefined,
    problems: [`uses the import map ./map.json: add "mcp-exec": "${runtime}" there`],
  },
  {
    name: "does not touch what it cannot read",
    file: "deno.json",
    given: "{x",
    want: undefined,
    problems: ["is not valid JSON"],
  },
  {
    name: "does not touch what is no object",
    file: "deno.json",
    given: "[]",
    want: undefined,
    problems: ["is not valid JSON"],
  },
]

describe("the mapping of #servers/ and mcp-exec", () => {
  test.each(cases)("$name", ({ file, given, want, problems = [] }) => {
    expect(mapServers(file, given)).toEqual({ text: want, problems })
  })

  test.each([...mappedFiles])("makes a %s where there is none, and changes it no more", (file) => {
    const { text, problems } = mapServers(file, undefined)
    expect(problems).toEqual([])
    expect(JSON.parse(text ?? "")).toBeObject()
    expect(mapServers(file, text)).toEqual({ text: undefined, problems: [] })
    expect(mapServers(file, "  \n")).toEqual({ text, problems: [] })
  })

  test.each(cases)("is done after one time: $name", ({ file, want }) => {
    if (want !== undefined) expect(mapServers(file, want)).toEqual({ text: undefined, problems: [] })
  })
})
