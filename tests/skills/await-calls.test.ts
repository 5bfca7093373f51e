import { describe, expect, test } from "bun:test"
import { awaitCalls } from "../../src/skills/await-calls.ts"

describe("work that a script begins and does not wait for", () => {
  const cases: [given: string, want: string][] = [
    ["async function main() {}\nmain()", "async function main() {}\nawait main()"],
    ["const run = async () => {}\nrun();", "const run = async () => {}\nawait run();"],
    ["async function main() {}; main(1)", "async function main() {}; await main(1)"],
    ["async function main() {}\nvoid main()", "async function main() {}\nawait main()"],
    ["async function main() {}\nmain()\n  .catch(print)", "async function main() {}\nawait main()\n  .catch(print)"],
    [
      "async function main() {}\nif (import.meta.main) main()",
      "async function main() {}\nif (import.meta.main) await main()",
    ],
    ["load({ a: 1 }).then((x) => print(x))", "await load({ a: 1 }).then((x) => print(x))"],
    ["load()\n  .then(a)\n  .finally(b)", "await load()\n  .then(a)\n  .finally(b)"],
    ["Promise.all([a(), b()]).then(print)", "await Promise.all([a(), b()]).then(print)"],
    ["(async () => {\n  work()\n})()", "await (async () => {\n  work()\n})()"],
    [";(async function () {})()", ";await (async function () {})()"],
    ["void (async () => {})()", "await (async () => {})()"],
  ]
  for (const [given, want] of cases) {
    test(`is waited for: ${given.split("\n").at(-1)}`, () => {
      expect(awaitCalls(given)).toBe(want)
    })
  }

  const others = [
    "print(1)",
    "function main() {}\nmain()",
    "async function main() {}\nawait main()",
    "async function main() {}\nconst done = main()",
    "async function main() {\n  main()\n}",
    "const x = load().then(print)",
    "each(() => load().then(print))",
    "// main().then(x)\nconst text = 'main().then(x)'",
    "for (const a of b) {\n  load(a).then(print)\n}",
    "async function main() {}\nother.main()",
  ]
  for (const code of others) {
    test(`is none: ${code.split("\n").at(-1)}`, () => {
      expect(awaitCalls(code)).toBe(code)
    })
  }
})
