import { expect, it } from 'vitest'
import type { Task } from '../../src/board/task.ts'
import { ledgerOf } from '../../src/feature-memory/ledger/error-ledger.ts'
import { type IterationRecord, type NewIteration, parseRecord } from '../../src/feature-memory/record.ts'
import { errorsFor, solversOf } from '../../src/loop/task-errors.ts'
import { errorSignature } from '../../src/text/error-signature.ts'

const task = (id: number, description: string): Task => ({
  id,
  title: `Task ${id}`,
  description,
  acceptanceCriteria: [],
  feature: 'shop',
  discipline: 'general',
  status: 'pending',
  blockedBy: [],
  priority: 3,
  comments: [],
})
const record = (iterationNumber: number, taskId: number, fields: Partial<NewIteration>): IterationRecord =>
  parseRecord({
    iterationNumber,
    taskId,
    taskTitle: `Task ${taskId}`,
    feature: 'shop',
    timestamp: '2026-02-07T14:30:00Z',
    outcome: 'failure',
    summary: 'Tried.',
    ...fields,
  })
const MESSAGE = "TypeError: Cannot read properties of undefined (reading 'rate')"
const failing = (message = MESSAGE, command = 'npm test'): Partial<NewIteration> => ({
  errors: [{ message, type: 'test', filePath: 'src/pay.ts', line: 4, command }],
  checks: [{ command, kind: 'test', result: 'failed', signatures: [errorSignature(message)] }],
  filesTouched: [{ path: 'src/pay.ts', action: 'modified' }],
})
const passing: Partial<NewIteration> = {
  outcome: 'success',
  checks: [{ command: 'npm test', kind: 'test', result: 'passed' }],
  filesTouched: [{ path: 'src/pay.ts', action: 'modified' }],
}
const told = (of: Task, ...records: IterationRecord[]) => {
  const attempts = records.filter(({ taskId }) => taskId === of.id)
  const { open, nearby } = errorsFor(of, ledgerOf(records), { attempts, told: attempts, recent: records })
  const brief = ({ message, life }: { message: string; life: string }) => `${life}: ${message}`
  return { open: open.map(brief), nearby: nearby.map(brief) }
}
const PAY = task(1, 'Prices in src/pay.ts are without tax.')

it('parts what is open from what is gone', () => {
  expect(told(PAY, record(1, 1, failing()))).toEqual({ open: [`open: ${MESSAGE}`], nearby: [] })
  expect(told(PAY, record(1, 1, failing()), record(2, 1, passing))).toEqual({
    open: [],
    nearby: [`solved: ${MESSAGE}`],
  })
  expect([...solversOf(ledgerOf([record(1, 1, failing()), record(2, 1, passing)]))]).toEqual([2])
})

it('tells one error once that two tools report', () => {
  const twice = record(1, 1, failing())
  twice.errors.push({ ...twice.errors[0]!, message: `adds tax: ${MESSAGE}`, command: 'npx vitest run' })
  expect(told(PAY, twice).open).toHaveLength(1)
})

it('tells of other tasks only what has to do with this one', () => {
  const login = task(2, 'src/login.ts greets by name.')
  expect(told(login, record(1, 1, failing()))).toEqual({ open: [], nearby: [] })
  expect(told(task(3, 'Show prices of src/pay.ts.'), record(1, 1, failing())).nearby).toEqual([
    `open: ${MESSAGE}`,
  ])
})

it('leaves out a command that went wrong once', () => {
  const slip = { message: '`nosuchcommand` failed with exit code 127', type: 'runtime' as const }
  expect(told(PAY, record(1, 1, { errors: [slip] })).open).toEqual([])
  expect(told(PAY, record(1, 1, { errors: [slip] }), record(2, 1, { errors: [slip] })).open).toHaveLength(1)
})
