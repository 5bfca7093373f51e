// Serves a captured `tools/list` answer as a live server, so that any captured server can be configured:
// bun bench/replay-server.ts FILE
import { readFileSync } from "node:fs"
import { introduction, serve } from "../tests/fixtures/servers/wire.ts"

const { tools } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
serve({
  methods: {
    initialize: () => ({ ...introduction(), capabilities: { tools: {} } }),
    "tools/list": () => ({ tools }),
  },
})
