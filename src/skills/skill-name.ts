// The rules of Agent Skills for names and descriptions, which hold for every skill.

const longestName = 64
export const longestDescription = 1024

/** What is wrong with a name; undefined when nothing is. */
export function problemWithName(name: string): string | undefined {
  if (name === "") return "the name is missing"
  if (name.length > longestName) return `the name has ${name.length} characters, ${longestName} are allowed`
  // On Windows these name devices, whatever ending a file has.
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/.test(name)) return `'${name}' cannot be the name of a file on Windows`
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return undefined
  return `'${name}' is not a name for a skill: lower-case letters, digits and single hyphens between them`
}

/** What is wrong with a description; undefined when nothing is. */
export function problemWithDescription(description: unknown): string | undefined {
  if (typeof description !== "string" || description.trim() === "") return "the description is missing"
  if (description.length <= longestDescription) return undefined
  return `the description has ${description.length} characters, ${longestDescription} are allowed`
}

/** The nearest name that keeps the rules; empty when nothing is left of it. */
export function nameLike(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestName)
    .replace(/^-+|-+$/g, "")
}
