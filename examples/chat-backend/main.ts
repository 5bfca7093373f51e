// Starts the back end on loopback: MODEL_URL=http://127.0.0.1:11434/v1 MODEL_NAME=… bun main.ts
import { createMcpExec } from "mcp-exec/library"
import { compatibleModel } from "./compatible-model.ts"
import { createExecutor } from "./executor.ts"
import { instructions } from "./instructions.ts"
import { createBackend } from "./server.ts"

const { MODEL_URL: url, MODEL_NAME: model, MODEL_KEY: key, PORT = "8787" } = process.env
if (!url || !model) {
  console.error("Set MODEL_URL and MODEL_NAME, and MODEL_KEY where one is needed.")
  process.exit(2)
}

const mcp = await createMcpExec({ onLog: ({ level, message }) => console.error(`[${level}] ${message}`) })
await mcp.generate()
const backend = createBackend({
  model: compatibleModel({ url, model, key }),
  execute: createExecutor(mcp),
  system: await instructions(mcp),
})
backend.listen(Number(PORT), "127.0.0.1", () => console.error(`http://127.0.0.1:${PORT}/chat`))

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    backend.close()
    backend.closeAllConnections()
    await mcp.close()
  })
}
