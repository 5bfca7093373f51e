import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { parseSource } from "../../../src/skills/sources/source.ts"
import { readPackage } from "../../../src/skills/sources/tar.ts"

describe("a source", () => {
  const cases: [string, Record<string, unknown>][] = [
    ["/tmp", { kind: "path", path: "/tmp" }],
    ["https://github.com/acme/skills", { kind: "git", url: "https://github.com/acme/skills" }],
    ["https://example.com/a/b.git#v1", { kind: "git", url: "https://example.com/a/b.git", ref: "v1" }],
    ["github:acme/skills", { kind: "git", url: "https://github.com/acme/skills.git" }],
    ["git@github.com:acme/skills.git", { kind: "git", url: "git@github.com:acme/skills.git" }],
    ["ssh://git@host/x", { kind: "git", url: "ssh://git@host/x" }],
    [
      "https://github.com/acme/skills/tree/main/skills/pdf",
      { kind: "git", url: "https://github.com/acme/skills.git", ref: "main", folder: "skills/pdf" },
    ],
    [
      "https://github.com/acme/skills/blob/main/a.ts",
      { kind: "file", url: "https://raw.githubusercontent.com/acme/skills/main/a.ts" },
    ],
    ["https://example.com/a.ts", { kind: "file", url: "https://example.com/a.ts" }],
    ["left-pad", { kind: "npm", spec: "left-pad" }],
    ["@acme/skills@^1.2.0", { kind: "npm", spec: "@acme/skills@^1.2.0" }],
    ["npm:skills", { kind: "npm", spec: "skills" }],
  ]
  for (const [given, want] of cases) {
    test(`is recognised: ${given}`, () => {
      expect(parseSource(given, "/")).toEqual(want as never)
    })
  }

  for (const given of [
    "--upload-pack=x",
    "-x",
    "npm:../x",
    "npm:--x",
    "a b",
    "ext::x",
    "./missing",
    "javascript:x",
    "file:///etc/passwd",
    "git+ssh://example.com/a.git#-x",
  ]) {
    test(`is refused: ${given}`, () => {
      expect(() => parseSource(given, "/")).toThrow(expect.objectContaining({ code: "E_USAGE" }))
    })
  }
})

describe("the archive of a package", () => {
  const entry = (name: string, content: string, type = "0") => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, "0"), 124)
    header.write(type, 156)
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
    body.write(content)
    return Buffer.concat([header, body])
  }
  const archive = (...entries: Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

  test("gives its text files, and nothing that leads elsewhere", () => {
    const { files, left } = readPackage(
      archive(
        entry("package/skills/a.ts", "a"),
        entry("package/../../etc/x", "no"),
        entry("package/link", "", "2"),
        entry("package/binary", "a\0b"),
        entry("././@PaxHeader", "28 path=package/long/name\n", "x"),
        entry("package/short", "long"),
      ),
      "p",
    )
    expect([...files]).toEqual([
      ["skills/a.ts", "a"],
      ["long/name", "long"],
    ])
    expect(left).toEqual([
      { path: "link", why: "link" },
      { path: "binary", why: "not text" },
    ])
  })

  test("that is broken or cut short is an error, or what there is of it", () => {
    expect(() => readPackage(Buffer.from("no archive"), "p")).toThrow(expect.objectContaining({ code: "E_USAGE" }))
    expect([...readPackage(gzipSync(entry("package/a", "abc").subarray(0, 514)), "p").files.values()]).toEqual(["ab"])
  })
})
