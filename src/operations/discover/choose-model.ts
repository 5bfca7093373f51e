// Which model is asked for arguments: the one that was named, or the first that can be had.
import { tmpdir } from "node:os"
import type { Model } from "../../discovery/ask-model.ts"
import { McpExecError } from "../../errors.ts"
import { findProgram } from "../../platform/find-program.ts"
import type { OperationContext } from "../context.ts"

export interface ModelWish {
  /** "anthropic", "claude" or the URL of an endpoint that speaks as OpenAI's does; absent: whatever there is. */
  provider?: string | undefined
  name?: string | undefined
}

const anthropicModel = "claude-haiku-4-5"
const openAiModel = "gpt-4.1-mini"

/** The model for a wish. One that was named and cannot be had is an error; without a name, there may be none. */
export function chooseModel(context: OperationContext, { provider, name }: ModelWish): Model | undefined {
  const { env } = context
  const { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL, OPENAI_API_KEY } = env
  if (provider !== undefined && /^https?:\/\//.test(provider) && URL.canParse(provider)) {
    return { kind: "openai", url: provider, key: OPENAI_API_KEY || undefined, name: name ?? openAiModel }
  }
  if (provider !== undefined && provider !== "anthropic" && provider !== "claude") {
    throw new McpExecError("E_USAGE", `There is no model '${provider}'`, {
      hint: "Write --llm anthropic, --llm claude, or --llm URL of an endpoint that speaks as OpenAI's does.",
    })
  }
  if (key && provider !== "claude") {
    const url = ANTHROPIC_BASE_URL || "https://api.anthropic.com"
    return { kind: "anthropic", key, url, name: name ?? anthropicModel }
  }
  if (provider === "anthropic") {
    throw new McpExecError("E_USAGE", "ANTHROPIC_API_KEY is not set", {
      hint: "Set it, or use --llm claude (the program) or --llm URL.",
    })
  }
  if (findProgram("claude", env.PATH) === undefined) {
    const message = "There is no program 'claude' in PATH"
    const hint = "Install it, set ANTHROPIC_API_KEY, or name an endpoint with --llm URL."
    if (provider === "claude") throw new McpExecError("E_USAGE", message, { hint })
    context.log(
      "warning",
      `No model can be asked: ANTHROPIC_API_KEY is not set, and there is no program claude. ${hint}`,
    )
    return undefined
  }
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // Not in the project: the program would read its files, and instructions in them.
  return { kind: "claude", env: Object.fromEntries(given), cwd: tmpdir() }
}
