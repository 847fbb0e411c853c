import { snakeKey } from '../text/case.ts'
import { z } from '../text/schema.ts'
import { truncate } from '../text/truncate.ts'

/** A text that must say something; cut to its cap with a visible mark. */
export const requiredCutText = (max: number) =>
  z
    .pipe(
      z.string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be text') }),
      z.transform((value) => truncate(value.trim(), max)),
    )
    .check(z.refine((value) => value !== '', { error: 'is empty' }))

/** A text that may be absent. */
export const optionalText = (max: number) =>
  z.pipe(
    z._default(z.string({ error: 'must be text' }), ''),
    z.transform((value) => truncate(value.trim(), max)),
  )

/** How a technology or a type is compared: "React " is "react". */
export function filterName(name: string): string {
  return name.trim().toLowerCase()
}

/** "gate_type is missing; human_feedback is empty": every field that is wrong, in the spelling people see. */
export function problemsOf(error: z.core.$ZodError): string {
  return error.issues.map((issue) => `${snakeKey(String(issue.path[0] ?? 'it'))} ${issue.message}`).join('; ')
}
