import { callTool } from "mcp-exec"

export async function main(call = callTool) {
  const times: Record<string, number[]> = {}
  for (const day of ["monday", "tuesday", "wednesday"]) {
    const { content } = await call<{ content: string }>("files", "read_text_file", { path: `logs/${day}.log` })
    for (const [, route = "", ms] of content.matchAll(/GET (\S+) 200 (\d+)ms/g)) {
      times[route] = [...(times[route] ?? []), Number(ms)]
    }
  }
  const slowest = Object.entries(times).map(([route, ms]) => [route, Math.max(...ms), ms.length] as const)
  slowest.sort(([, a], [, b]) => b - a)
  for (const [route, worst, count] of slowest.slice(0, 5)) console.log(`${route} ${worst} ms, ${count} requests`)
}
