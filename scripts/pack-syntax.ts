// Walking through the syntax of a chunk.
import type { AnyNode } from "acorn"

export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === "string")
}

export function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? JSON.stringify(node.value)
}
