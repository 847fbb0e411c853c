import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { RECORD_CAPS } from '../../../src/feature-memory/record.ts'
import type { ProcessOutcome } from '../../../src/transcripts/collector.ts'
import { collected, ends, fails, init, PROJECT, runs, says, uses } from '../../transcripts/stream.ts'

type Line = Record<string, unknown>

const summary = (lines: Line[], process?: ProcessOutcome) =>
  extract(collected(lines, process), { project: PROJECT }).summary

const LONG = 'I rewrote the session store so that tokens survive a restart of the server.'

describe('the summary is', () => {
  test("the result's text", () => {
    expect(summary([init, says(LONG), ends('Done: sessions survive.')])).toBe('Done: sessions survive.')
  })

  test('else the last text of more than 50 characters, from the main agent', () => {
    expect(
      summary([
        init,
        says(LONG),
        says('Now the tests.'),
        says(`${LONG} Or so.`, { parent_tool_use_id: 'sub' }),
      ]),
    ).toBe(LONG)
  })

  test('else composed from what is known', () => {
    const write = uses('Write', { file_path: `${PROJECT}/a.ts` }, 'File created successfully at: x')
    expect(
      summary([
        init,
        says('Starting.'),
        ...write,
        ...runs('npm test'),
        ...fails('npm run lint', 'error: bad', 1),
      ]),
    ).toBe(
      'Starting. Created a.ts. Ran `npm test`, `npm run lint`. One error: error: bad (`npm run lint` failed with exit code 1). The run ended without a result.',
    )
  })

  test('after an error, both the reason and what was going on', () => {
    const text = summary([init, says(LONG), ends('API Error: 500', { is_error: true })])
    expect(text).toMatch(/^API Error: 500/)
    expect(text).toContain(LONG)
  })

  test.each<[string, Line[], ProcessOutcome, RegExp]>([
    ['nothing at all', [], {}, /ended without a result/],
    ['killed', [init], { signal: 'SIGKILL' }, /was killed \(SIGKILL\)/],
    ['refused to start', [], { exitCode: 1 }, /exit code 1/],
    ['out of time', [init], { signal: 'SIGTERM', stopped: { reason: 'time' } }, /its time was up/],
    ['silent work', [init, ...uses('TodoWrite', {}, 'ok'), ends('')], {}, /used TodoWrite and said nothing/],
    ['an empty result', [init, ends('   ')], {}, /did nothing/],
  ])('never empty: %s', (_, lines, process, expected) => {
    expect(summary(lines, process)).toMatch(expected)
  })

  test('cut visibly when too long', () => {
    const text = summary([init, ends('word '.repeat(2_000))])
    expect(text.length).toBeLessThanOrEqual(RECORD_CAPS.summary)
    expect(text).toMatch(/\[truncated\]$/)
  })
})
