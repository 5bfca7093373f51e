// Writes two trees in turns until it is killed: `bun write-loop.ts FOLDER [rounds [system]]`.
import { writeFiles } from "../../src/codegen/write.ts"
import { type System, systems } from "./moves.ts"
import { treeOf } from "./trees.ts"

const [folder = "", rounds = "1000000", system] = process.argv.slice(2)
const moves = system === undefined ? {} : { moves: systems[system as System] }
process.stdout.write("ready\n")
for (let round = 0; round < Number(rounds); round++) {
  await writeFiles(folder, treeOf(round % 2 === 0 ? "new" : "old"), moves)
}
