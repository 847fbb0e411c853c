import { errorSignature } from '../text/normalise.ts'
import { CallErrors } from './extract/call-errors.ts'

/** The errors in what a failed tool call printed, in the form by which `failedActions` knows them. */
export function failureSignatures(failed: { tool: string; command?: string; output: string }): string[] {
  const failures = new CallErrors().of({
    id: '',
    name: failed.tool,
    kind: failed.command === undefined ? 'other' : 'shell',
    paths: [],
    command: failed.command,
    creates: undefined,
    subAgent: false,
    status: 'failed',
    output: failed.output,
  })
  return failures.map(({ message }) => errorSignature(message))
}
