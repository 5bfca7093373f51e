import { engines } from "../sandbox/program.ts"
import { walledEnv } from "../sandbox/walled.ts"
import { describeHarness } from "./contract.ts"

const flags = ["--sandbox"]
const prepare = ["sandbox", "build"]
const alone = { MCP_EXEC_DAEMON: "0" }

for (const runtime of engines) {
  describeHarness(`a container of ${runtime}`, { flags, prepare, config: { sandbox: { runtime } }, env: alone })
}

// What wakes them, who answers them and how they are spoken to is the same for all engines.
for (const runtime of engines.slice(0, 1)) {
  describeHarness(`a container of ${runtime} that has waited`, {
    flags,
    prepare,
    config: { sandbox: { runtime, pool: 3 } },
    env: alone,
    cleanUp: [["sandbox", "prune"]],
  })

  describeHarness(`a container of ${runtime} that a daemon answers`, {
    flags,
    prepare,
    config: { sandbox: { runtime } },
    env: { MCP_EXEC_DAEMON: "1" },
    cleanUp: [["daemon", "stop"]],
  })

  describeHarness(`a container of ${runtime} over stdin and stdout`, {
    flags,
    prepare,
    config: { sandbox: { runtime } },
    env: { ...alone, ...walledEnv(runtime) },
  })
}
