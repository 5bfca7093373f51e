// Each program's own file, as it writes it, and what becomes of it.
import { describe, expect, test } from "bun:test"
import { claudeCases } from "./cases/claude.ts"
import { editorCases } from "./cases/editors.ts"
import { terminalCases } from "./cases/terminals.ts"
import { createMachine } from "./machine.ts"

for (const [program, cases] of Object.entries({ ...claudeCases, ...editorCases, ...terminalCases })) {
  describe(`the importer of ${program}`, () => {
    for (const { name, given, env, platform, want, notes = [] } of cases) {
      test(name, async () => {
        using machine = createMachine(given, env, platform)
        const result = await machine.import(program)
        expect(result.servers).toEqual(want)
        expect(result.notes).toEqual(notes.map((note) => `${program}: ${note}`))
      })
    }
  })
}
