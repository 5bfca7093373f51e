import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { exitCodeFor } from "../../src/errors.ts"
import { onOwnBun } from "../../src/mcp/own-bun.ts"
import { fixturePath, placeholder } from "../fixtures/config.ts"
import { failureOf, startManager, temporaryDirectory } from "./manager-fixture.ts"
import { serveRegistry } from "./registry-fixture.ts"

setDefaultTimeout(120_000)

const direct = [process.execPath, "--no-env-file", "--config=/dev/null", "--no-install"]

/** A folder with packages in it, and the command that a server in it gets. */
function createFolder(packages: Record<string, { version: string; bin: unknown; text?: string }>) {
  const folder = temporaryDirectory()
  const at = (...path: string[]) => join(folder.path, ...path)
  for (const [place, { version, bin, text = "#!/usr/bin/env node\n" }] of Object.entries(packages)) {
    const files = typeof bin === "string" ? [bin] : Object.values(bin as Record<string, string>)
    for (const file of files) {
      mkdirSync(dirname(at(place, file)), { recursive: true })
      writeFileSync(at(place, file), text)
    }
    writeFileSync(at(place, "package.json"), JSON.stringify({ version, bin }))
  }
  const commandOf = async (line: string, cwd = folder.path) => {
    const [command = "", ...args] = line.split(" ")
    const plain = { command: ["x"] as const, cwd, env: { HOME: at("home"), PATH: "/bin" } }
    return await onOwnBun("one", { command, args }, { plain, cacheDirectory: at("cache") })
  }
  return { ...folder, at, commandOf }
}

const npxFolder = (spec: string) =>
  `home/.npm/_npx/${createHash("sha512").update(spec).digest("hex").slice(0, 16)}/node_modules`

describe("the command of a server on our own Bun", () => {
  test("is this program, told to be Bun and to read no files of Bun's, with Node's arguments", async () => {
    using it = createFolder({})
    const { command, env } = await it.commandOf("node --enable-source-maps server.js -a")
    expect(command).toEqual([...direct, "--enable-source-maps", "./server.js", "-a"] as unknown as typeof command)
    expect(env).toEqual({ HOME: it.at("home"), PATH: "/bin", BUN_BE_BUN: "1" })
  })

  test("is what Bun was given, where Bun was asked for", async () => {
    using it = createFolder({})
    expect((await it.commandOf("bun run x.ts")).command).toEqual([process.execPath, "run", "x.ts"])
  })

  const found: { name: string; given: string; place: string; version?: string; bin?: unknown; want: string }[] = [
    { name: "a package beside the configuration", given: "npx -y pkg a", place: "node_modules/pkg", want: "cli.js" },
    { name: "the version that was asked for", given: "npx pkg@1.2.3 a", place: "node_modules/pkg", want: "cli.js" },
    { name: "a version in the range", given: "npx pkg@^1.1 a", place: "node_modules/pkg", want: "cli.js" },
    { name: "a package with a scope", given: "npx @s/pkg a", place: "node_modules/@s/pkg", want: "cli.js" },
    { name: "what npx has installed", given: "npx -y pkg a", place: `${npxFolder("pkg")}/pkg`, want: "cli.js" },
    { name: "what npx has for a version", given: "npx pkg@1 a", place: `${npxFolder("pkg@1")}/pkg`, want: "cli.js" },
    {
      name: "the only program, whatever its name",
      given: "npx pkg a",
      place: "node_modules/pkg",
      bin: { other: "x/other.js" },
      want: "x/other.js",
    },
    {
      name: "the program with the package's name, of several",
      given: "npx @s/pkg a",
      place: "node_modules/@s/pkg",
      bin: { other: "other.js", pkg: "own.js" },
      want: "own.js",
    },
    {
      name: "the program that was named",
      given: "npx -p pkg other a",
      place: "node_modules/pkg",
      bin: { other: "other.js", pkg: "own.js" },
      want: "other.js",
    },
  ]
  for (const { name, given, place, version = "1.2.3", bin = "./cli.js", want } of found) {
    test(`is the file of ${name}`, async () => {
      using it = createFolder({ [place]: { version, bin } })
      expect((await it.commandOf(given)).command.slice(1)).toEqual([...direct.slice(1), it.at(place, want), "a"])
    })
  }

  test("is found in a folder above the server's own", async () => {
    using it = createFolder({ "node_modules/pkg": { version: "1.0.0", bin: "cli.js" } })
    const { command } = await it.commandOf("npx pkg", it.at("deep/down"))
    expect(command.at(-1)).toBe(it.at("node_modules/pkg/cli.js"))
  })

  const fetched: { name: string; given: string; want: string[] }[] = [
    { name: "a package that is not there", given: "npx -y other@1 a", want: ["other@1", "a"] },
    { name: "another version", given: "npx pkg@2 a", want: ["pkg@2", "a"] },
    { name: "a tag, whatever is there", given: "npx pkg@latest", want: ["pkg@latest"] },
    { name: "a program that the package lacks", given: "npx -p pkg no a", want: ["--package", "pkg", "no", "a"] },
  ]
  for (const { name, given, want } of fetched) {
    test(`is left to Bun for ${name}`, async () => {
      using it = createFolder({ "node_modules/pkg": { version: "1.0.0", bin: { pkg: "a.js", more: "b.js" } } })
      const { command, env } = await it.commandOf(given)
      expect(command).toEqual([process.execPath, "x", ...want])
      const [own = "", ...rest] = (env.PATH ?? "").split(":")
      expect(rest).toEqual(["/bin"])
      expect(readlinkSync(join(own, "node"))).toBe(process.execPath)
      expect(own).toStartWith(it.at("cache"))
      // A second server finds the links there.
      expect((await it.commandOf(given)).env.PATH).toBe(env.PATH)
    })
  }

  test.each([
    ["a shell script", "#!/bin/sh\nexit 0"],
    ["a program for the machine", "\x7fELF\x02\x01\x01\0\0\0"],
  ])("is refused for %s in a package", async (_, text) => {
    using it = createFolder({ "node_modules/pkg": { version: "1.0.0", bin: "run", text } })
    const error = await failureOf(it.commandOf("npx pkg"))
    expect(error).toMatchObject({
      name: "ConfigError",
      code: "E_CONFIG_INVALID",
      message: `server "one" cannot have "runtime": "bun": it runs JavaScript only, and ${it.at("node_modules/pkg/run")} is none`,
      hint: "Correct the command, or remove `runtime` from server 'one'.",
    })
  })
})

describe.concurrent("a server on our own Bun", () => {
  const echo = { type: "stdio" as const, command: "node", args: [fixturePath("echo")], runtime: "bun" as const }

  test("is not given .env or bunfig.toml of the folder that it runs in", async () => {
    using folder = temporaryDirectory()
    writeFileSync(join(folder.path, ".env"), "FROM_FILE=yes")
    writeFileSync(join(folder.path, "bunfig.toml"), 'preload = ["./preload.js"]')
    writeFileSync(join(folder.path, "preload.js"), "process.env.FROM_PRELOAD = 'yes'")
    await using manager = await startManager({ echo }, { directory: folder.path })
    const { env } = (await manager.callTool("echo", "environment", {})) as { env: Record<string, string> }
    expect(env).not.toHaveProperty("FROM_FILE")
    expect(env).not.toHaveProperty("FROM_PRELOAD")
  })

  test("is refused once its variables have made it something else", async () => {
    const given = { ...echo, command: placeholder("RUNNER") }
    await using manager = await startManager({ echo: given }, { env: { ...process.env, RUNNER: "python3" } })
    const error = await failureOf(manager.listTools("echo"))
    expect(error).toMatchObject({ code: "E_CONFIG_INVALID" })
    expect(error.message).toContain('the command "python3" is not known to run JavaScript')
    expect(exitCodeFor(error)).toBe(3)
  })

  test("says that it may be the runtime's fault when it does not start", async () => {
    using folder = temporaryDirectory()
    writeFileSync(join(folder.path, "broken.js"), "throw new Error('no such feature')")
    const given = { ...echo, args: ["broken.js"] }
    await using manager = await startManager({ broken: given }, { directory: folder.path })
    const error = await failureOf(manager.listTools("broken"))
    expect(error).toMatchObject({ code: "E_SERVER_CONNECT" })
    expect(error.hint).toStartWith('Without "runtime": "bun" it runs on Node. It wrote to stderr:')
    expect(error.hint).toContain("no such feature")
  })

  test("is fetched from the registry when it is nowhere else, and started without it the next time", async () => {
    using folder = temporaryDirectory()
    const registry = await serveRegistry(folder.path, "far-server", fixturePath("echo"))
    const server = { type: "stdio" as const, command: "npx", args: ["-y", "far-server@1.0.0"], runtime: "bun" as const }
    const env = { PATH: process.env.PATH, HOME: folder.path, npm_config_registry: registry.url }
    const options = { env, directory: folder.path, cacheDirectory: join(folder.path, "cache") }
    const ask = async () => {
      await using manager = await startManager({ far: server }, options)
      const pid = await manager.callTool("far", "pid", {})
      return process.platform === "linux" ? readlinkSync(`/proc/${pid}/exe`) : process.execPath
    }
    expect(await ask()).toBe(realpathSync(process.execPath))
    expect(registry.asked()).toBeGreaterThan(0)
    registry.stop()
    expect(await ask()).toBe(realpathSync(process.execPath))
  })

  test("that no registry has is an error that says so", async () => {
    using folder = temporaryDirectory()
    const registry = await serveRegistry(folder.path, "far-server", fixturePath("echo"))
    const server = { type: "stdio" as const, command: "npx", args: ["-y", "no-such-server"], runtime: "bun" as const }
    const env = { PATH: process.env.PATH, HOME: folder.path, npm_config_registry: registry.url }
    await using manager = await startManager({ far: server }, { env, directory: folder.path })
    const error = await failureOf(manager.listTools("far"))
    registry.stop()
    expect(error).toMatchObject({ code: "E_SERVER_CONNECT" })
    expect(error.hint).toContain("no-such-server")
  })
})

test("a folder for links that cannot be made is an error, not another runtime", async () => {
  using it = createFolder({})
  mkdirSync(it.at("cache"))
  writeFileSync(it.at("cache/node"), "in the way")
  expect((await failureOf(it.commandOf("npx pkg"))).code).toMatch(/^(ENOTDIR|EEXIST)$/)
})
