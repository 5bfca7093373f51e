import { describeHarness } from "./contract.ts"

describeHarness("direct mode", { flags: ["--direct"], env: { MCP_EXEC_DAEMON: "0" } })
describeHarness("direct mode with a daemon", {
  flags: ["--direct"],
  env: { MCP_EXEC_DAEMON: "1" },
  cleanUp: [["daemon", "stop"]],
})
