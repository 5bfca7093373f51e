// What runs in the child process of a builtin that cannot share ours: the official packages read
// process.argv and take over stdin and stdout as soon as they are imported.
import { McpExecError } from "../errors.ts"

/** Serves a packaged builtin on stdin and stdout. Resolves when the client has closed stdin. */
export async function runBuiltinChild(name: string, args: string[]): Promise<void> {
  const inputClosed = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve))
  process.argv = [process.execPath, name, ...args]
  await importPackage(name)
  // The packages stop reading when a message is larger than they take, and would leave its call waiting.
  process.stdin.once("pause", () => {
    process.stderr.write("The message is too large for this server: it takes at most 10 MB.\n")
    process.exitCode = 1
    process.stdin.destroy()
  })
  await inputClosed
}

// Literal specifiers, so that the packages become part of the binary.
function importPackage(name: string): Promise<unknown> {
  switch (name) {
    case "filesystem":
      return import("@modelcontextprotocol/server-filesystem/dist/index.js")
    case "memory":
      return import("@modelcontextprotocol/server-memory/dist/index.js")
    default:
      throw new McpExecError("E_USAGE", `There is no builtin server "${name}" that runs as a child process`, {
        hint: "This command is for mcp-exec itself; builtin servers are started by a server entry of type builtin.",
      })
  }
}
