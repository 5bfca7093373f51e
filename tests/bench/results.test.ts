import { expect, test } from "bun:test"
import { printResults } from "../../bench/results.ts"

const page = printResults({
  command: "npm run bench",
  date: "2026-01-01",
  machine: ["2 cores, 8 GB"],
  versions: ["Bun 1.0.0", "Node 22.0.0"],
  figures: {
    hello: [
      { name: "quick", value: "1.5×", goal: "≤ 2×", met: true },
      { name: "slow", value: "3×", goal: "≤ 2×", met: false },
    ],
    generate: [{ name: "all", goal: "≤ 3 s", skipped: "no data" }],
  },
  tables: [
    {
      title: "A race",
      column: "cold",
      rows: [
        { name: "floor", who: "raw", medianMs: 5, ratio: 1, cpuMs: 4, turns: 9 },
        { name: "a|b", who: "ours", medianMs: 123.4, ratio: 24.68, cpuMs: 100.4, turns: 3 },
      ],
    },
    { title: "Another", column: "warm", rows: [{ name: "floor", who: "raw", medianMs: 0.123, ratio: 1, turns: 9 }] },
  ],
  missing: [{ name: "peer", reason: "404" }],
})

test("every goal is listed with what became of it, the missed and the skipped too", () => {
  expect(page).toContain("Of 3 goals 1 are met, 1 missed, 1 skipped.")
  expect(page).toContain("| `hello` | quick | ≤ 2× | 1.5× | met |")
  expect(page).toContain("| `hello` | slow | ≤ 2× | 3× | **missed** |")
  expect(page).toContain("| `generate` | all | ≤ 3 s | no data | **skipped** |")
})

test("races keep their numbers, ratios and turns", () => {
  expect(page).toContain("### A race\n\n|  | median, ms | ratio | CPU, ms | turns |")
  expect(page).toContain("| a\\|b | 123 | 24.68× | 100 | 3 |")
  expect(page).toContain("### Another\n\n|  | median, ms | ratio | turns |")
  expect(page).toContain("| floor | 0.12 | 1.00× | 9 |")
})

test("races of the same task stand side by side", () => {
  expect(page).toContain("|  | cold | warm |\n")
  expect(page).toContain("| raw | 5.00 ms (1.00×) | 0.12 ms (1.00×) |\n")
  expect(page).toContain("| ours | 123 ms (24.68×) | – |\n")
})

test("what it was measured on and with is there, and who was left out", () => {
  expect(page).toContain("Written by `npm run bench` on 2026-01-01")
  expect(page).toContain("- 2 cores, 8 GB\n- Bun 1.0.0 · Node 22.0.0\n")
  expect(page).toContain("- **peer**: 404")
})
