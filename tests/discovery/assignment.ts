/** A line that gives a sample to a type, which must be in a namespace `types`. */
export function assignment(type: string, sample: unknown): string {
  const json = JSON.stringify(sample).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
  return `;(${json}) satisfies types.${type}`
}
