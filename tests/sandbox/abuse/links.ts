// In a workspace that may be written to: leaves links that lead out, for whoever follows them.
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { keep, scratch, workspace } from "mcp-exec"
import { attempt } from "./attempt.ts"

const [outside = ""] = process.argv.slice(2)
symlinkSync(outside, `${workspace}/way-out`)
symlinkSync(`${outside}/secret.txt`, `${workspace}/report.txt`)
await attempt("read through a link", () => readFileSync(`${workspace}/report.txt`, "utf8"))
await attempt("write through a link", () => writeFileSync(`${workspace}/way-out/planted.txt`, "planted"))
await attempt("a hard link to the program", () => linkSync("/bin/mcp-exec", `${workspace}/program`))
mkdirSync(`${scratch}/made`)
writeFileSync(`${scratch}/made/file`, "kept")
for (const name of ["../planted.txt", "/etc/planted", "a/../../planted.txt", ".env"]) {
  await attempt(`keep as ${name}`, () => keep(`${scratch}/made/file`, name))
}
await keep(`${scratch}/made/file`, "report.txt")
console.log("done")
