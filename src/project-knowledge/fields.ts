import { z } from 'zod'
import { snakeKey } from '../text/case.ts'
import { truncate } from '../text/truncate.ts'

/** A text that must say something; cut to its cap with a visible mark. */
export const requiredCutText = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be text') })
    .transform((value) => truncate(value.trim(), max))
    .refine((value) => value !== '', { error: 'is empty' })

/** A text that may be absent. */
export const optionalText = (max: number) =>
  z
    .string({ error: 'must be text' })
    .default('')
    .transform((value) => truncate(value.trim(), max))

/** How a technology or a type is compared: "React " is "react". */
export function filterName(name: string): string {
  return name.trim().toLowerCase()
}

/** "gate_type is missing; human_feedback is empty": every field that is wrong, in the spelling people see. */
export function problemsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${snakeKey(String(issue.path[0] ?? 'it'))} ${issue.message}`).join('; ')
}
