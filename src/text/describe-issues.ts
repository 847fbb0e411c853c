import type { core } from 'zod'
import { snakeKeys } from './case.ts'

/** "files_touched.0.path: must be …; outcome: …", in the spelling people see on disk. */
export function describeIssues(error: core.$ZodError): string {
  return error.issues
    .map((issue) => {
      const place = issue.path
        .map((part) => Object.keys(snakeKeys({ [String(part)]: 0 }) as object)[0])
        .join('.')
      return place ? `${place}: ${issue.message}` : issue.message
    })
    .join('; ')
}
