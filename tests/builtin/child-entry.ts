import { runBuiltinChild } from "../../src/builtin/child.ts"

await runBuiltinChild(process.argv[2] ?? "", process.argv.slice(3))
