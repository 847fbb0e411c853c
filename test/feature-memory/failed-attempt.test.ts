import { expect, it } from 'vitest'
import { isFailedAttempt, wasInVain } from '../../src/feature-memory/endings.ts'
import { ENDING_KINDS, OUTCOMES } from '../../src/feature-memory/record.ts'
import { iteration } from '../support/records.ts'
import { failed, passed } from './ledger/journal.ts'

const worked = { ending: { kind: 'worked' as const } }
const broken = { checks: [passed('npm run build'), failed('npm test', [{ message: 'boom' }])] }

it('is a run on a task or a session that worked to its end and got nowhere', () => {
  expect(isFailedAttempt(iteration({ ...worked, outcome: 'failure' }))).toBe(true)
  expect(isFailedAttempt(iteration({ ...worked, outcome: 'failure', kind: 'session', taskId: 0 }))).toBe(true)
  expect(isFailedAttempt(iteration({ ...worked, outcome: 'partial', ...broken }))).toBe(true)
})

it('is no run whose checks all came out well, whatever was said of the task', () => {
  const run = (...checks: ReturnType<typeof passed>[]) =>
    isFailedAttempt(iteration({ ...worked, outcome: 'failure', checks }))
  expect(run(passed('npm test'))).toBe(false)
  expect(run(passed('npm test'), failed('npm run build', []))).toBe(true)
  // That a command ran proves nothing of the work.
  expect(run(passed('npm install', { kind: 'command' }))).toBe(true)
})

it('is no part of the way that left nothing broken', () => {
  expect(isFailedAttempt(iteration({ ...worked, outcome: 'partial' }))).toBe(false)
  expect(isFailedAttempt(iteration({ ...worked, outcome: 'partial', checks: [passed('npm test')] }))).toBe(
    false,
  )
})

it('is no run that was done, stopped, refused or let down by the service, and no review', () => {
  for (const outcome of OUTCOMES) {
    for (const kind of ENDING_KINDS.filter((one) => one !== 'worked')) {
      expect(isFailedAttempt(iteration({ outcome, ending: { kind }, ...broken })), `${outcome} ${kind}`).toBe(
        false,
      )
    }
    expect(isFailedAttempt(iteration({ ...worked, outcome, kind: 'review', taskId: 0, ...broken }))).toBe(
      false,
    )
  }
})

it('is told of records from before endings by their outcome', () => {
  expect(isFailedAttempt(iteration({ outcome: 'failure' }))).toBe(true)
  expect(isFailedAttempt(iteration({ outcome: 'timeout' }))).toBe(false)
  expect(isFailedAttempt(iteration({ outcome: 'rate_limited' }))).toBe(false)
})

it('lets another task go first also after a run that used up its limits, not after trouble of the moment', () => {
  const ended = (ending: Parameters<typeof iteration>[0] & object) => wasInVain(iteration(ending))
  expect(ended({ outcome: 'failure' })).toBe(true)
  expect(ended({ outcome: 'timeout' })).toBe(true)
  expect(ended({ outcome: 'partial', ending: { kind: 'service_failed', cause: 'context' } })).toBe(true)
  expect(ended({ outcome: 'rate_limited' })).toBe(false)
  expect(ended({ outcome: 'partial', ending: { kind: 'stopped', cause: 'interrupted' } })).toBe(false)
  expect(ended({ outcome: 'success' })).toBe(false)
})
