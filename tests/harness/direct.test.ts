import { describeHarness } from "./contract.ts"

describeHarness("direct mode", { flags: ["--direct"] })
