#!/usr/bin/env bun
// The program: argv in, exit code out. Everything is loaded on demand: what a command does not need
// must not cost it anything. Only a script's first steps are here at once: what loads them would be felt.
import { startScriptAhead } from "./cli/exec-ahead.ts"
import { lookAtScript } from "./cli/exec-here.ts"
import { runScript, runScriptProcess } from "./guest/run.ts"

const [command, ...rest] = process.argv.slice(2)

switch (command) {
  case "__run":
    // Not awaited: a script that waits for nothing would spin for ever.
    void runScriptProcess(rest)
    break
  case "__run-ahead":
    void import("./guest/box-ahead.ts").then(({ runAhead }) => runAhead())
    break
  case "__session":
    await (await import("./guest/session.ts")).runSession(rest)
    break
  case "__serve":
    await (await import("./builtin/child.ts")).runBuiltinChild(rest[0] ?? "", rest.slice(1))
    break
  case "__box":
    process.exit(await (await import("./guest/box.ts")).runBox(rest[0] ?? ""))
    break
  case "__warm":
    await (await import("./cli/warm.ts")).runWarm(rest[0] ?? "")
    process.exit(0)
    break
  case "__daemon":
    process.exit(await (await import("./cli/daemon-process.ts")).runDaemon(rest))
    break
  case "call":
    process.exit((await (await import("./cli/call-run.ts")).runCall(rest)) ?? (await runProgram()))
    break
  case "exec": {
    const { here, text } = await lookAtScript(rest)
    if (here !== undefined) {
      void runScript(here)
      break
    }
    const ahead = startScriptAhead(rest)
    process.exit((await (await import("./cli/exec-run.ts")).runExec(rest, { ahead, text })) ?? (await runProgram()))
    break
  }
  case "ls":
  case "cat":
  case "search":
    process.exit((await (await import("./cli/read-run.ts")).runRead(command, rest)) ?? (await runProgram()))
    break
  default:
    process.exit(await runProgram())
}

async function runProgram(): Promise<number> {
  const [{ runCli }, { processIo }] = await Promise.all([import("./cli/program.ts"), import("./cli/io.ts")])
  return await runCli(process.argv.slice(2), processIo())
}
