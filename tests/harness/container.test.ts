import { engines } from "../sandbox/program.ts"
import { describeHarness } from "./contract.ts"

for (const runtime of engines) {
  describeHarness(`a container of ${runtime}`, {
    flags: ["--sandbox"],
    prepare: ["sandbox", "build"],
    config: { sandbox: { runtime } },
  })
}

// What wakes them is the same for all engines.
for (const runtime of engines.slice(0, 1)) {
  describeHarness(`a container of ${runtime} that has waited`, {
    flags: ["--sandbox"],
    prepare: ["sandbox", "build"],
    config: { sandbox: { runtime, pool: 3 } },
    cleanUp: ["sandbox", "prune"],
  })
}
