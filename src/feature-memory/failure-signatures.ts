import { errorSignature } from '../text/normalise.ts'
import { CallErrors } from './extract/call-errors.ts'

/** The errors in what a failed tool call printed, with the signatures by which the ledger knows them. */
export function failuresIn(failed: {
  tool: string
  command?: string
  output: string
}): { message: string; signature: string }[] {
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
  return failures.map(({ message }) => ({ message, signature: errorSignature(message) }))
}
