// What servers offer, as plain data. No behaviour, so that every folder may use it.

export type JsonSchema = { [key: string]: unknown }

/** Hints a server gives about a tool; none of them is a promise. */
export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

export interface Tool {
  name: string
  title?: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations?: ToolAnnotations
}

export interface Resource {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
}

/** Many resources at once: a URI in which some parts are left open (RFC 6570). */
export interface ResourceTemplate {
  uriTemplate: string
  name: string
  title?: string
  description?: string
  mimeType?: string
}

export interface Prompt {
  name: string
  title?: string
  description?: string
  arguments?: { name: string; description?: string; required?: boolean }[]
}

export interface Server {
  name: string
  description?: string
  version?: string
  instructions?: string
  /** Tells one configuration of it from another. */
  config?: string
  tools: Tool[]
  resources?: Resource[]
  resourceTemplates?: ResourceTemplate[]
  prompts?: Prompt[]
}

export interface Catalog {
  servers: Server[]
}
