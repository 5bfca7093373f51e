import { describe, expect, test } from "bun:test"
import { Artifacts } from "../../src/server/artifacts.ts"
import { extractMedia } from "../../src/server/extract-media.ts"
import { createProject } from "../fixtures/project.ts"

const data = Buffer.from("bytes").toString("base64")

describe("binary contents in an output", () => {
  test("are kept, wherever they are, and referred to", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const given = [
      { type: "image", data, mimeType: "image/png", annotations: {} },
      { a: { type: "audio", data, mimeType: "audio/wav" } },
      { type: "resource", resource: { uri: "file:///x.bin", blob: data } },
      { type: "text", text: "plain" },
    ]
    const { output, kept } = extractMedia(JSON.stringify(given), artifacts)
    const [image, audio, blob] = kept.map(({ uri }) => uri)
    expect(JSON.parse(output)).toEqual([
      { type: "image", mimeType: "image/png", annotations: {}, uri: image, bytes: 5 },
      { a: { type: "audio", mimeType: "audio/wav", uri: audio, bytes: 5 } },
      { type: "resource", resource: { mimeType: "application/octet-stream", uri: blob, bytes: 5 } },
      { type: "text", text: "plain" },
    ])
    expect(artifacts.read(image as string)).toMatchObject({ blob: data })
  })

  test("are kept when a console shows them, or an address holds them", () => {
    using project = createProject()
    const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d", "hex"), Buffer.alloc(200, 7)])
    const shown = Bun.inspect([{ type: "image", data: png.toString("base64"), mimeType: "image/png" }])
    const page = `see <img src="data:image/gif;base64,${png.toString("base64")}">`
    const { output, kept } = extractMedia(`${shown}\n${page}\n`, artifacts)
    expect(kept.map(({ mimeType }) => mimeType).sort()).toEqual(["image/gif", "image/png"])
    expect(output).not.toContain(png.toString("base64").slice(20, 60))
    for (const { uri } of kept) {
      expect(output).toContain(uri)
      expect(artifacts.read(uri)).toMatchObject({ blob: png.toString("base64") })
    }
  })

  const others = ['{"data":"x y"}', '{"type":"image","data":"not base64!"}', "plain text", '{"data": "', '["data"]']
  for (const output of others) {
    test(`are not seen in ${output}`, () => {
      using project = createProject()
      const artifacts = new Artifacts({ MCP_EXEC_CACHE_DIR: project.path("cache") })
      expect(extractMedia(output, artifacts)).toEqual({ output, kept: [] })
    })
  }
})
