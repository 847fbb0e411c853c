import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

// The small form of the library says nothing about what is wrong unless it is given the words. Compiling each schema on its
// first use takes a command longer than all that it checks, and reading 10,000 lines of a journal no less.
z.config({ ...en(), jitless: true })

/**
 * Schemas for what every command reads: the library's small form. Its large form, with a method for everything, takes 13 ms of
 * a cold start and some 0.1 ms more for each schema; this one takes 2. Schemas of both may contain each other.
 */
export { z }

/** Changes a value before it is judged; the small form has everything for it but this. */
export function preprocess<Schema extends z.core.$ZodType>(
  change: (value: unknown) => unknown,
  schema: Schema,
): z.core.$ZodPreprocess<Schema> {
  const made = new z.core.$ZodPreprocess({ type: 'pipe', in: z.transform(change), out: schema })
  return made as z.core.$ZodPreprocess<Schema>
}

/** For a transformation that cannot be done: says why, in words that follow the name of the field. */
export function refusedAs({ issues, value }: z.core.ParsePayload, message: string): never {
  issues.push({ code: 'custom', message, input: value })
  return z.NEVER
}
