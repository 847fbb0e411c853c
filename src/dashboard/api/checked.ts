import { zValidator } from '@hono/zod-validator'
import type { ValidationTargets } from 'hono'
import type { z } from 'zod'
import { RalphError } from '../../errors.ts'

/** Whatever comes from the page is looked at before it is used; says which field is wrong. */
export function checked<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (result.success) return
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || target}: ${message}`)
    throw new RalphError('invalid_input', problems.join('; '))
  })
}
