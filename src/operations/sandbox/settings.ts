// The `sandbox` section of the configuration that counts, or its defaults.
import type { ExecSettings } from "../../config/receipt.ts"
import type { SandboxConfig } from "../../config/schema.ts"

export async function readSandboxConfig(settings: ExecSettings, cwd: string): Promise<SandboxConfig> {
  const { file, sandbox } = settings
  if (sandbox !== undefined) return sandbox
  const { loadConfig } = await import("../../config/load.ts")
  return (await loadConfig({ file, cwd })).sandbox
}
