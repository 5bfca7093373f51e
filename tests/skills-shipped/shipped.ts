// The shipped skills as a user runs them: by `exec`, in a folder that is not theirs.
import { join } from "node:path"
import { createProject, type Finished, type Project, type ProjectInput, repository } from "../fixtures/project.ts"

export interface ShippedSkill extends Disposable {
  project: Project
  run(...args: string[]): Promise<Finished>
  /** The value of a run that must succeed. */
  value<Value>(...args: string[]): Promise<Value>
}

/** A shipped skill in a project with these servers. */
export function shippedSkill(name: string, input: ProjectInput): ShippedSkill {
  const project = createProject(input)
  const run = (...args: string[]) => project.run(["exec", join(repository, "skills", `${name}.ts`), ...args])
  return {
    project,
    run,
    async value(...args) {
      const { code, stdout, stderr } = await run(...args)
      if (code !== 0) throw new Error(stderr)
      return JSON.parse(stdout)
    },
    [Symbol.dispose]: () => project[Symbol.dispose](),
  }
}
