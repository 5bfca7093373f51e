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
  tools: Tool[]
}

export interface Catalog {
  servers: Server[]
}
