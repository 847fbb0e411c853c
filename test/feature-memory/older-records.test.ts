import { describe, expect, test } from 'vitest'
import { fromJournalLine, type NewIteration } from '../../src/feature-memory/record.ts'
import { snakeKeys } from '../../src/text/case.ts'
import { newIteration } from '../support/records.ts'

/** As a version that stored neither kinds nor endings wrote it. */
function older(fields: Partial<NewIteration>) {
  const record = { iterationNumber: 1, ...newIteration(fields) }
  return fromJournalLine(JSON.stringify({ version: 1, record: snakeKeys(record) }))
}
const failed = (message: string, command?: string): Partial<NewIteration> => ({
  outcome: 'failure',
  errors: [{ message, type: 'runtime', ...(command && { command }) }],
})

describe('the kind of an older record', () => {
  test.each([
    ['task', { taskId: 3 }],
    ['review', { taskId: 0, modelTier: 'opus' }],
    ['session', { taskId: 0, modelTier: 'sonnet' }],
  ] as const)('%s', (kind, fields) => {
    expect(older(fields).kind).toBe(kind)
  })
})

describe('how an older record ended', () => {
  test.each<[string, Partial<NewIteration>]>([
    ['done', { outcome: 'success' }],
    ['stopped time', { outcome: 'timeout' }],
    ['service_failed rate_limit', { outcome: 'rate_limited' }],
    ['service_failed api', failed('API Error: 500 Internal server error')],
    ['service_failed rate_limit', failed('The API was rate limited or overloaded (3 retries)')],
    ['service_failed key', failed('Invalid API key · Please run /login')],
    ['service_failed credit', failed('Credit balance is too low')],
    ['service_failed context', failed('Prompt is too long')],
    ['service_failed turns', failed('Reached maximum number of turns (3)')],
    ['service_failed budget', failed('Reached maximum budget ($0.15)')],
    ['stopped interrupted', failed('The run was interrupted before it was finished')],
    ['stopped killed', { summary: 'Starting. Ran `ls`. The run was killed (SIGKILL).' }],
    ['stopped', { outcome: 'partial', summary: 'Created a.txt. The run ended without a result.' }],
    ['refused', failed('Permission to use Bash has been denied. (Bash: npm test)')],
    ['refused', failed('This command requires approval (Bash: npm test)')],
    ['service_failed rate_limit', failed('529 {"type":"error","error":{"type":"overloaded_error"}}')],
    // What a program of the project said is the project's.
    ['worked', failed('API Error: 500 Internal server error', 'npm test')],
    ['worked', failed('TypeError: x is not a function', 'npm test')],
    ['worked', { outcome: 'partial' }],
    ['worked', { outcome: 'failure' }],
  ])('%s: %j', (expected, fields) => {
    const { kind, cause } = older(fields).ending
    expect([kind, cause].filter(Boolean).join(' ')).toBe(expected)
  })
})
