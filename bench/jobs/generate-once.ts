// `bun generate-once.ts memory|disk FOLDER TOOLS [CAPTURES]`: generates so many tools in a process that has done
// nothing else, as `mcp-exec generate` does once the servers have answered. Prints the milliseconds.
import { generateProject, makeServers, supplyTools, writeProject } from "../catalog.ts"

const [target, folder = "", toolCount = "", captures] = process.argv.slice(2)
const servers = makeServers(supplyTools(captures), Number(toolCount))
const startedAt = performance.now()
if (target === "disk") await writeProject(folder, servers)
else await generateProject(folder, servers)
console.log(performance.now() - startedAt)
