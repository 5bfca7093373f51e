// Skills as others publish them.

export function declared(name: string): string {
  return `import { skill } from "mcp-exec"\nexport default skill({ name: "${name}", description: "Does ${name}." }, async () => "${name} ran")\n`
}

export function document(name: string): string {
  return `---\nname: ${name}\ndescription: Folds ${name}.\n---\n\nFold it.\n`
}
