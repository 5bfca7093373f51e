// What execute_script takes, beyond what its short schema can say.
import { z } from "zod"

export const executeInput = z.strictObject({
  code: z.string().optional(),
  skill: z.string().min(1).optional(),
  path: z.string().min(1).optional(),
  args: z.union([z.array(z.string()), z.record(z.string(), z.unknown())], "words, or an object of values").optional(),
  timeout: z.number().positive().optional(),
  sandbox: z.boolean().optional(),
  check: z.boolean().optional(),
  session: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "at most 64 letters, digits, dots, dashes")
    .optional(),
  reset: z.boolean().optional(),
  maxTokens: z.int().positive().optional(),
})

export type ExecuteInput = z.infer<typeof executeInput>
