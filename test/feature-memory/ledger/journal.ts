import type { IterationRecord, NewIteration } from '../../../src/feature-memory/record.ts'
import { errorSignature } from '../../../src/text/error-signature.ts'
import { iteration } from '../../support/records.ts'

export const BROKEN_TOTAL = {
  message: 'cart.test.ts > total: expected 90 to be 100',
  type: 'test' as const,
  filePath: 'src/cart.test.ts',
  command: 'npm test',
}
export const BROKEN_LOGIN = {
  message: "TypeError: Cannot read properties of undefined (reading 'email')",
  type: 'runtime' as const,
  filePath: 'src/login.ts',
  command: 'npm test',
}

type CheckFields = NonNullable<NewIteration['checks']>[number]

export function passed(command: string, more: Partial<CheckFields> = {}): CheckFields {
  return { command, kind: 'test', result: 'passed', ...more }
}

export function failed(
  command: string,
  errors: readonly { message: string }[],
  more: Partial<CheckFields> = {},
): CheckFields {
  const signatures = errors.map(({ message }) => errorSignature(message))
  return { command, kind: 'test', result: 'failed', signatures, ...more }
}

export const modified = (...paths: string[]) => paths.map((path) => ({ path, action: 'modified' as const }))

/** A run on a task, numbered by its place in the journal. */
export function journal(...runs: Partial<NewIteration>[]): IterationRecord[] {
  return runs.map((run, at) =>
    iteration({ iterationNumber: at + 1, taskId: 1, taskTitle: 'Total of the cart', ...run }),
  )
}
