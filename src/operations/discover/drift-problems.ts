import { type KnownServers, usedTools } from "../../skills/used-tools.ts"
import { type Notes, readNotes } from "./observed.ts"

/** What to say of a script that calls tools whose results no longer fit their types. */
export function driftProblems(code: string, servers: KnownServers, notes: Notes): { message: string; tool: string }[] {
  const noted = readNotes(notes)
  const names = new Map(usedTools(code, servers).map(({ server, tool }) => [`${server}.${tool}`, { server, tool }]))
  return [...names].flatMap(([name, { server, tool }]) => {
    const changes = noted.get(server)?.drift.get(tool)
    if (changes === undefined) return []
    const message = `the results of ${name} no longer fit their type (${changes.join("; ")}): run mcp-exec discover ${name}`
    return [{ message, tool: name }]
  })
}
