// What there is to name in a project, for shells that complete words: skills with their options, servers
// with their tools. Reads files, starts nothing.
import { optionName } from "../guest/skill-declaration.ts"
import { listSkills } from "../skills/find-skills.ts"
import type { OperationContext } from "./context.ts"
import { findGenerated } from "./generated.ts"

export interface NameableSkill {
  name: string
  description: string
  options: SkillOption[]
}

export interface SkillOption {
  /** `--limit` */
  flag: string
  description: string
  takes: "nothing" | "a value" | "a file"
  /** The only values that it takes. */
  values: readonly string[]
}

export interface Nameable {
  skills: NameableSkill[]
  servers: { name: string; tools: string[] }[]
}

/** Lists them. */
export async function listNameable(context: OperationContext): Promise<Nameable> {
  const { settings, servers } = await findGenerated(context)
  const { skills } = await listSkills(settings.directory, context.cacheDirectory)
  return {
    skills: skills.map(({ name, declaration: { description, args = {} } }) => {
      const options = Object.entries(args).map(([key, { kind, description: text = "", values = [] }]): SkillOption => {
        const takes = kind === "boolean" ? "nothing" : kind === "file" ? "a file" : "a value"
        return { flag: `--${optionName(key)}`, description: text, takes, values }
      })
      return { name, description, options }
    }),
    servers: [...servers].map(([name, { tools }]) => ({ name, tools: Object.keys(tools) })),
  }
}
