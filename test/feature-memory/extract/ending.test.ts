import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import type { TaskChange } from '../../../src/feature-memory/extract/outcome.ts'
import type { RunEnding } from '../../../src/feature-memory/record.ts'
import type { ProcessOutcome } from '../../../src/transcripts/collector.ts'
import { collected, ends, init, says, uses } from '../../transcripts/stream.ts'

const PROJECT = '/home/dev/shop'
type Lines = Record<string, unknown>[]

function ending(lines: Lines, process: ProcessOutcome = {}, task?: TaskChange): RunEnding {
  return extract(collected([init, ...lines], process), { project: PROJECT, ...(task && { task }) }).ending
}
const change = (after: string): TaskChange => ({
  before: { status: 'pending', comments: 0 },
  after: { status: after, comments: 0 },
})
const edit = uses('Edit', { file_path: `${PROJECT}/a.ts`, old_string: 'x' }, 'updated')
const denied = uses('Bash', { command: 'touch a' }, 'Permission to use Bash has been denied.', {
  error: true,
})
const completed = [ends('That is all.')]
const failed = (text: string, more: object = {}) => [ends(text, { is_error: true, ...more })]
const retry = { type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' }

describe('by itself', () => {
  test('done, or not: the task says', () => {
    expect(ending(completed, {}, change('done'))).toEqual({ kind: 'done' })
    expect(ending(completed, {}, change('in_progress'))).toEqual({ kind: 'worked' })
    expect(ending(completed, {}, change('pending'))).toEqual({ kind: 'worked' })
  })

  test('without a task, what it left behind says', () => {
    expect(ending(completed)).toEqual({ kind: 'done' })
    const failing = uses('Bash', { command: 'npx tsc' }, 'a.ts(1,1): error TS1: x', { error: true })
    expect(ending([...failing, ...completed])).toEqual({ kind: 'worked' })
  })

  test('refused, when permissions kept it from doing anything', () => {
    const detail = 'Permission to use Bash has been denied. (Bash: touch a)'
    expect(ending([...denied, ...completed], {}, change('pending'))).toEqual({ kind: 'refused', detail })
    expect(ending([...denied, ...edit, ...completed], {}, change('pending'))).toEqual({ kind: 'worked' })
    expect(ending([...denied, ...edit, ...completed], {}, change('done'))).toEqual({ kind: 'done' })
  })
})

describe('stopped from outside', () => {
  test('by a person: at the terminal of the agent, or of the loop', () => {
    const aborted = ends('', {
      is_error: true,
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_tools',
    })
    expect(ending([...edit, aborted], { exitCode: 0 })).toEqual({ kind: 'stopped', cause: 'interrupted' })
    const byLoop: ProcessOutcome = { stopped: { reason: 'interrupted' }, signal: 'SIGINT' }
    const expected = { kind: 'stopped', cause: 'interrupted', signal: 'SIGINT' }
    expect(ending(edit, byLoop)).toEqual(expected)
    // Asked to end, it found some last words; and it was not the service it was waiting for.
    expect(ending([...edit, ...completed], byLoop, change('pending'))).toEqual(expected)
    expect(ending([retry], byLoop)).toEqual(expected)
    expect(ending([...edit, ...completed], { stopped: { reason: 'interrupted' } }, change('done'))).toEqual({
      kind: 'done',
    })
  })

  test.each<[string, ProcessOutcome, RunEnding]>([
    [
      'time',
      { stopped: { reason: 'time', limitMs: 1_800_000 }, signal: 'SIGTERM' },
      { kind: 'stopped', cause: 'time', detail: 'stopped after 30 min', signal: 'SIGTERM' },
    ],
    [
      'silence',
      { stopped: { reason: 'silence', limitMs: 45_000 }, exitCode: 143 },
      { kind: 'stopped', cause: 'silence', detail: 'silent for 45 s', exitCode: 143 },
    ],
    ['a crash of the loop', { stopped: { reason: 'recovered' } }, { kind: 'stopped', cause: 'recovered' }],
    ['a signal', { signal: 'SIGKILL' }, { kind: 'stopped', cause: 'killed', signal: 'SIGKILL' }],
    ['a signal, as a code', { exitCode: 137 }, { kind: 'stopped', cause: 'killed', exitCode: 137 }],
    ['its own crash', { exitCode: 1 }, { kind: 'stopped', exitCode: 1 }],
    ['nobody knows what', {}, { kind: 'stopped' }],
  ])('by %s', (_, process, expected) => {
    expect(ending([says('Working.'), ...edit], process)).toEqual(expected)
  })

  test('not when it went on to its own end after the loop had crashed', () => {
    const process: ProcessOutcome = { stopped: { reason: 'recovered' } }
    expect(ending(completed, process, change('pending'))).toEqual({ kind: 'worked' })
  })
})

describe('the service failed', () => {
  test.each<[string, Lines, string]>([
    ['a rate limit', failed('API Error: Request rejected (429)', { api_error_status: 429 }), 'rate_limit'],
    ['an overload', failed('API Error: 529 Overloaded', { api_error_status: 529 }), 'rate_limit'],
    ['a quota', failed("You've hit your weekly limit"), 'rate_limit'],
    ['a key', failed('Invalid API key · Please run /login', { api_error_status: 401 }), 'key'],
    ['no login', failed('OAuth token has expired'), 'key'],
    ['credit', failed('Credit balance is too low', { api_error_status: 400 }), 'credit'],
    ['the length', failed('Prompt is too long', { terminal_reason: 'prompt_too_long' }), 'context'],
    ['the server', failed('API Error: 500 Internal server error', { api_error_status: 500 }), 'api'],
    [
      'turns',
      failed('', { subtype: 'error_max_turns', errors: ['Reached maximum number of turns'] }),
      'turns',
    ],
    ['budget', failed('', { subtype: 'error_max_budget_usd', errors: ['Reached maximum budget'] }), 'budget'],
    ['something it met', failed('', { subtype: 'error_during_execution', errors: ['boom'] }), 'api'],
  ])('%s', (_, lines, cause) => {
    const { kind, cause: told, detail } = ending([...edit, ...lines], { exitCode: 1 }, change('in_progress'))
    expect([kind, told]).toEqual(['service_failed', cause])
    expect(detail).toBeTypeOf('string')
  })

  test('also when we lost patience while it waited', () => {
    expect(ending([retry, retry], { stopped: { reason: 'silence' }, signal: 'SIGTERM' })).toEqual({
      kind: 'service_failed',
      cause: 'rate_limit',
      detail: 'asked again 2 times',
      signal: 'SIGTERM',
    })
  })

  test('and when it had cost as much as it may', () => {
    expect(ending(edit, { stopped: { reason: 'cost' }, signal: 'SIGTERM' })).toMatchObject({
      kind: 'service_failed',
      cause: 'budget',
    })
  })
})
