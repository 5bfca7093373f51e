import { type Fields, isObject } from "../problems.ts"

/** The fields that hold a credential as it is, by name. Never their values. */
export function plainSecrets(entry: Fields): string[] {
  const { args, url } = entry
  const words = Array.isArray(args) ? args.map((word) => (typeof word === "string" ? word : "")) : []
  return [
    ...["env", "headers"].flatMap((field) =>
      Object.entries(isObject(entry[field]) ? entry[field] : {})
        .filter(([key, value]) => typeof value === "string" && isSecret(key, value))
        .map(([key]) => `${field}.${key}`),
    ),
    ...words.flatMap((word, index) => {
      const [, flag = "", value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
      const before = /^--?([\w-]+)$/.exec(words[index - 1] ?? "")?.[1] ?? ""
      return isSecret(flag, value ?? "") || (flag === "" && isSecret(before, word)) ? [`args[${index}]`] : []
    }),
    ...(typeof url === "string" && hasSecret(url) ? ["url"] : []),
  ]
}

const secretName = /token|secret|passw|passphrase|api[-_]?key|authorization|credential|cookie|(^|[-_])(key|pat|auth)$/i
const secretValue = /^(sk-|ghp_|gho_|github_pat_|glpat-|xox[abprs]-|AKIA|eyJ|(Bearer|Basic) \S)/
const harmless = /^(true|false|yes|no|on|off|\d{0,4}|[./~].*)$/i

function isSecret(name: string, value: string): boolean {
  if (value === "" || /(^|[^$])\$\{/.test(value)) return false
  return secretValue.test(value) || (secretName.test(name) && !harmless.test(value))
}

function hasSecret(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /(^|[^$])\$\{/.test(text)) return false
  return url.password !== "" || [...url.searchParams].some(([name, value]) => isSecret(name, value))
}
