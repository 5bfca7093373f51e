// List items without the converter's padding, which costs tokens, and numbered without counting all
// the items before each one, which takes seconds in a long list.
import type TurndownService from "turndown"

interface Item {
  readonly nextSibling: unknown
  readonly parentNode: { readonly nodeName: string; getAttribute(name: string): string | null }
}

/** Teaches the converter to write list items. */
export function addListRule(service: TurndownService): void {
  const numbers = new WeakMap<object, number>()
  service.addRule("listItem", {
    filter: "li",
    replacement: (content, node) => {
      const { parentNode: list, nextSibling } = node as unknown as Item
      const number = numbers.get(list) ?? (Number.parseInt(list.getAttribute("start") ?? "", 10) || 1)
      numbers.set(list, number + 1)
      const prefix = list.nodeName === "OL" ? `${number}. ` : "- "
      const ending = content.endsWith("\n") || nextSibling !== null ? "\n" : ""
      return prefix + content.trim().replace(/\n(?=[^\n])/g, `\n${" ".repeat(prefix.length)}`) + ending
    },
  })
}
