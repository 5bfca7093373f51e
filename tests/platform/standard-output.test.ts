import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const source = readFileSync(join(import.meta.dir, "../../src/platform/standard-output.ts"), "utf8")
// Not every Node reads TypeScript.
const plain = new Bun.Transpiler({ loader: "ts" }).transformSync(source)

/** A program that writes to its stdout and tells of it on stderr. `before` is what it is started with. */
function writing(body: string, program: string[], before: string[] = []) {
  const code = `${plain}
    const target = openStandardOutput("stdout")
    ${body}
    process.exit(0)`
  return Bun.spawn([...before, ...program, "-e", code], { stdout: "pipe", stderr: "pipe" })
}

const programs = [{ name: "Bun", program: [process.execPath] }]
const node = Bun.which("node")
if (node !== null) programs.push({ name: "Node", program: [node, "--input-type=module"] })

for (const { name, program } of programs) {
  describe(`standard output, under ${name}`, () => {
    test("is written in full and in order, to a reader who takes time", async () => {
      const child = writing(
        `let turns = 0
        setInterval(() => turns++, 10)
        await target.write(new TextEncoder().encode("begin"))
        const writes = [target.write(new Uint8Array(1 << 21).fill(97)), target.write(new TextEncoder().encode("end"))]
        await Promise.all(writes)
        console.error(writes[0] !== undefined && turns > 5 ? "waited" : "did not wait")`,
        program,
        ["sh", "-c", '"$@" | (head -c 5; sleep 0.5; cat)', "sh"],
      )
      const text = await new Response(child.stdout).text()
      expect(text.length).toBe(5 + (1 << 21) + 3)
      expect([text.slice(0, 7), text.slice(-4)]).toEqual(["beginaa", "aend"])
      expect(await new Response(child.stderr).text()).toBe("waited\n")
    })

    const sizes = [
      { size: "a little", bytes: 10 },
      { size: "much", bytes: 1 << 21 },
    ]
    for (const { size, bytes } of sizes) {
      test(`fails when nobody reads any more, with ${size} to write`, async () => {
        const child = writing(
          `await new Promise((resolve) => setTimeout(resolve, 200))
          try {
            await target.write(new Uint8Array(${bytes}))
            console.error("written")
          } catch (error) {
            console.error(error.code)
          }`,
          program,
        )
        await child.stdout.cancel()
        expect(await new Response(child.stderr).text()).toBe("EPIPE\n")
      })
    }
  })
}
