// Resources, templates and prompts as servers list them → as the rest of the program knows them.
import type { Prompt, Resource, ResourceTemplate } from "../catalog.ts"
import { isFields } from "./fields.ts"

/** Every resource that has a URI. */
export function readResources(items: readonly unknown[]): Resource[] {
  return items.filter(isFields).flatMap(({ uri, name, title, description, mimeType }) =>
    typeof uri !== "string"
      ? []
      : {
          uri,
          name: typeof name === "string" ? name : uri,
          ...texts({ title, description, mimeType }),
        },
  )
}

/** Every template that has a URI. */
export function readResourceTemplates(items: readonly unknown[]): ResourceTemplate[] {
  return items.filter(isFields).flatMap(({ uriTemplate, name, title, description, mimeType }) =>
    typeof uriTemplate !== "string"
      ? []
      : {
          uriTemplate,
          name: typeof name === "string" ? name : uriTemplate,
          ...texts({ title, description, mimeType }),
        },
  )
}

/** Every prompt that has a name. */
export function readPrompts(items: readonly unknown[]): Prompt[] {
  return items.filter(isFields).flatMap(({ name, title, description, arguments: args }) =>
    typeof name !== "string"
      ? []
      : {
          name,
          ...texts({ title, description }),
          ...(Array.isArray(args) && { arguments: readArguments(args) }),
        },
  )
}

function readArguments(items: unknown[]): NonNullable<Prompt["arguments"]> {
  return items
    .filter(isFields)
    .flatMap(({ name, description, required }) =>
      typeof name !== "string"
        ? []
        : { name, ...texts({ description }), ...(typeof required === "boolean" && { required }) },
    )
}

/** Those fields that are texts. */
function texts<Name extends string>(fields: Record<Name, unknown>): { [name in Name]?: string } {
  const entries = Object.entries(fields).filter(([, value]) => typeof value === "string")
  return Object.fromEntries(entries) as { [name in Name]?: string }
}
