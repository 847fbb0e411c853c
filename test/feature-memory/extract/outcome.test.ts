import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import type { TaskChange } from '../../../src/feature-memory/extract/outcome.ts'
import type { ProcessOutcome } from '../../../src/transcripts/collector.ts'
import { collected, ends, fails, init, PROJECT, runs, says, uses } from '../../transcripts/stream.ts'

type Line = Record<string, unknown>

function outcome(lines: Line[], task?: TaskChange, process?: ProcessOutcome): string {
  return extract(
    collected([init, ...lines], process),
    task ? { project: PROJECT, task } : { project: PROJECT },
  ).outcome
}

const change = (before: string, after: string, comments = 0): TaskChange => ({
  before: { status: before, comments: 0 },
  after: { status: after, comments },
})
const done = [ends('Done.')]
const limited = [ends('API Error', { is_error: true, api_error_status: 429 })]

describe('with the task known', () => {
  test.each<[string, TaskChange, Line[], ProcessOutcome | undefined]>([
    ['success', change('pending', 'done'), done, undefined],
    ['success', change('in_progress', 'done'), limited, undefined],
    ['success', change('in_progress', 'done'), [], { stopped: { reason: 'time' } }],
    ['partial', change('pending', 'in_progress'), done, undefined],
    ['partial', change('pending', 'blocked'), done, undefined],
    ['partial', change('pending', 'pending', 1), done, undefined],
    ['failure', change('pending', 'pending'), done, undefined],
    ['failure', change('in_progress', 'in_progress'), done, undefined],
    ['failure', change('in_progress', 'pending'), done, undefined],
    ['timeout', change('pending', 'in_progress'), [], { signal: 'SIGTERM', stopped: { reason: 'time' } }],
    ['rate_limited', change('pending', 'pending'), limited, undefined],
  ])('%s: %j', (expected, task, lines, process) => {
    expect(outcome(lines, task, process)).toBe(expected)
  })
})

describe('from the run alone', () => {
  const edit = uses('Edit', { file_path: `${PROJECT}/a.ts`, old_string: 'x' }, 'updated')
  const failing = fails('npx vitest run', ' FAIL  a.test.ts > x\nError: y\n ❯ a.test.ts:1:1\n')
  const passing = runs('npx vitest run', ' Test Files  1 passed (1)\n      Tests  3 passed (3)')

  test.each<[string, string, Line[]]>([
    ['success', 'a clean end', done],
    ['success', 'failing tests that pass in the end', [...failing, ...edit, ...passing, ...done]],
    ['success', 'lint errors left', [...fails('npx eslint .', '/a.js\n  1:1  error  x  y\n'), ...done]],
    [
      'partial',
      'tests left that could not begin',
      [
        ...edit,
        ...fails('npm test', "TypeError: Cannot read properties of undefined (reading 'x')"),
        ...done,
      ],
    ],
    ['partial', 'tests left failing', [...passing, ...edit, ...failing, ...done]],
    [
      'partial',
      'tests left failing behind a pipe',
      [...edit, ...runs('npm test | tail', '# fail 2'), ...done],
    ],
    [
      'partial',
      'the turns used up, work done',
      [...edit, ends('', { is_error: true, subtype: 'error_max_turns' })],
    ],
    [
      'failure',
      'the turns used up, nothing done',
      [ends('', { is_error: true, subtype: 'error_max_turns' })],
    ],
    ['partial', 'an API error after work', [...edit, ends('API Error: 500', { is_error: true })]],
    ['failure', 'an API error at once', [ends('API Error: 500', { is_error: true })]],
    ['partial', 'killed after work', edit],
    ['failure', 'killed at once', [says('Starting.')]],
    ['rate_limited', 'a rate limit', limited],
  ])('%s: %s', (expected, _, lines) => {
    expect(outcome(lines)).toBe(expected)
  })

  test('timeout: stopped by us', () => {
    expect(outcome(edit, undefined, { signal: 'SIGKILL', stopped: { reason: 'time' } })).toBe('timeout')
  })

  test('rate_limited: stopped by us while it waited for the limit', () => {
    const retry = { type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' }
    expect(outcome([retry], undefined, { signal: 'SIGKILL', stopped: { reason: 'time' } })).toBe(
      'rate_limited',
    )
  })

  test('failure: the agent did not even start', () => {
    expect(extract(collected([], { exitCode: 1 }), { project: PROJECT }).outcome).toBe('failure')
  })
})
