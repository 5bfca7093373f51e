import { expect, test } from "bun:test"
import { parseFetchOptions } from "../../../src/builtin/fetch/options.ts"
import { ConfigError } from "../../../src/errors.ts"

test("without arguments only public addresses, 5 MB and 30 seconds are allowed", () => {
  expect(parseFetchOptions([])).toEqual({
    allowPrivate: false,
    allowedHosts: [],
    maxBytes: 5_000_000,
    timeoutMs: 30_000,
  })
})

test("each argument sets its limit", () => {
  const args = ["--allow-private", "--allow-host=a.test", "--allow-host=[::1]:80", "--max-bytes=1000", "--timeout=0.5"]
  expect(parseFetchOptions(args)).toEqual({
    allowPrivate: true,
    allowedHosts: [{ hostname: "a.test" }, { hostname: "[::1]", port: "80" }],
    maxBytes: 1000,
    timeoutMs: 500,
  })
})

const wrong = [
  ...["--allow", "allow-private", "--allow-private=yes", "", "https://example.com"],
  ...["--allow-host", "--allow-host=", "--allow-host=http://a.test", "--allow-host=a.test:x", "--allow-host=a/b"],
  ...["--max-bytes", "--max-bytes=", "--max-bytes=0", "--max-bytes=-1", "--max-bytes=5MB", "--max-bytes=Infinity"],
  ...["--timeout=0", "--timeout=never"],
]

for (const arg of wrong) {
  test(`the argument ${JSON.stringify(arg)} is a configuration error`, () => {
    expect(() => parseFetchOptions(["--allow-private", arg])).toThrow(ConfigError)
  })
}
