// Scripts of which nobody can tell in which process they run, themselves included: they start no process, look at no
// environment, talk to nobody and import no code that might. Only their text is looked at, so what leaves any doubt is not
// one of them. That is a matter of speed, not of safety: in direct mode a script has the user's rights either way.

/** Longer ones take longer to look through than they gain. */
const maxLength = 100_000

// Functions, because nothing but a lone script's start needs them.
const typeImports = () => /^[ \t]*import\s+type\s[^"'`;()]*?from\s*(["'])[^"'\n]*\1/gm
const plainImports = () =>
  /^[ \t]*import\s[\w\s{},*$]*?from\s*(["'])(?:node:)?(?:assert|buffer|events|fs|fs\/promises|path|perf_hooks|readline|readline\/promises|stream|stream\/promises|string_decoder|timers|timers\/promises|url|zlib)\1/gm
const plainMembers = () =>
  /\bprocess\s*\.\s*(?:arch|argv|cwd|exit|exitCode|hrtime|memoryUsage|nextTick|off|on|once|platform|stderr|stdin|stdout|uptime|versions?)\b|\bBun\s*\.\s*(?:CryptoHasher|Glob|TOML|YAML|deepEquals|escapeHTML|file|hash|inspect|nanoseconds|semver|sleep|sleepSync|stderr|stdin|stdout|stringWidth|stripANSI|write)\b|\bimport\s*\.\s*meta\s*\.\s*(?:dir|dirname|file|filename|main|path|url)\b/g
const leadsOut = () =>
  /\b(?:Bun|Deno|EventSource|Function|Loader|ShadowRealm|WebSocket|Worker|XMLHttpRequest|constructor|eval|fetch|getColorDepth|global|globalThis|hasColors|import|module|process|require|self|window)\b|\bfrom\s*["'`]|\\u|\/proc\b|\bs3:/

/** Whether a script is one of them. */
export function isLone(text: string): boolean {
  // Most scripts call tools, and need no closer look.
  if (text.length > maxLength || text.includes("mcp-exec") || text.includes("servers/")) return false
  if (!leadsOut().test(text)) return true
  const rest = text.replace(typeImports(), "").replace(plainImports(), "").replace(plainMembers(), "")
  return !leadsOut().test(rest)
}

/** Whether the environment has what the runtime itself would take from it, and a script's own one does not. */
export function speaksToRuntime(env: Record<string, string | undefined>): boolean {
  for (const name in env) {
    // The exceptions are about connections, of which a lone script makes none.
    if (/^(?:BUN_|FORCE_COLOR$|NO_COLOR$|NODE_(?!EXTRA_CA_CERTS$|TLS_))/.test(name)) return true
  }
  return false
}
