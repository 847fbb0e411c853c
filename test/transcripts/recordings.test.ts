import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const MODEL = 'claude-sonnet-4-5-20250929'

const fixture = (name: string) => join(FIXTURES, name.includes('/') ? name : `stream-json/${name}`)

/** Read off the recordings: how each run ended, what it called, what it cost. */
const STREAMS: Record<
  string,
  { ending: string; calls: number; failed?: number; cost?: number; tokens?: number; ms?: number }
> = {
  '00-hello': { ending: 'completed', calls: 0, cost: 0.115671, tokens: 12 + 15 + 30_776, ms: 397 },
  '01-success-tools': {
    ending: 'completed',
    calls: 20,
    failed: 6,
    cost: 0.29811975,
    tokens: 552_810,
    ms: 1_731,
  },
  '01c-glob-grep': { ending: 'completed', calls: 10, failed: 1, cost: 0.08862285, ms: 2_520 },
  // Three models took part: the totals are over all of them.
  '01d-multiedit-v1.0.128': {
    ending: 'completed',
    calls: 8,
    failed: 2,
    cost: 0.10449996,
    tokens: 144 + 395 + 117_694 + 17_392,
    ms: 1_334,
  },
  '02-failing-checks': { ending: 'completed', calls: 11, failed: 10, cost: 0.2151111, ms: 9_805 },
  '03-max-turns': { ending: 'service_failed turns', calls: 3, cost: 0.13709475 },
  '04a-429-then-ok': { ending: 'completed', calls: 0, cost: 0.0102603 },
  '04b-429-forever': { ending: 'service_failed rate_limit', calls: 0, cost: 0 },
  '04c-529-forever': { ending: 'service_failed rate_limit', calls: 0, cost: 0 },
  '04e-400-invalid': { ending: 'service_failed api', calls: 0, cost: 0 },
  '04f-401': { ending: 'service_failed key', calls: 0, cost: 0 },
  '04g-prompt-too-long': { ending: 'service_failed context', calls: 0, cost: 0 },
  '04h-connection-dropped': { ending: 'service_failed api', calls: 0, cost: 0 },
  '04i-credit': { ending: 'service_failed credit', calls: 0, cost: 0 },
  '05-sigkill': { ending: 'cut', calls: 1 },
  '05b-sigterm': { ending: 'cut', calls: 1, failed: 1 },
  '05c-sigint': { ending: 'interrupted', calls: 1, failed: 1, cost: 0.11607225 },
  // The sub-agent's tokens are in the totals, not in the result's `usage`.
  '06-subagent': {
    ending: 'completed',
    calls: 5,
    failed: 1,
    cost: 0.1695507,
    tokens: 84 + 273 + 150_879 + 31_984,
  },
  '06c-subagent-forward-text': { ending: 'completed', calls: 5, failed: 1, cost: 0.16965195 },
  '07-mcp': { ending: 'completed', calls: 6, failed: 3, cost: 0.17302665 },
  '07c-mcp-reference-servers': { ending: 'completed', calls: 3, cost: 0.1544991 },
  '08-thinking': { ending: 'completed', calls: 1, cost: 0.1272009 },
  '10-permission-denied': { ending: 'completed', calls: 3, failed: 2, cost: 0.127254 },
  '11-hooks': { ending: 'completed', calls: 5, failed: 1, cost: 0.17804625 },
  '12-partial-messages': { ending: 'completed', calls: 1, cost: 0.12657975 },
  '13a-subscription-warning': { ending: 'completed', calls: 1, cost: 0.13086525 },
  '14-max-budget': { ending: 'service_failed budget', calls: 5, cost: 0.15795555 },
  // The total of the session is 0.232; the first run had used 0.116 of it.
  '15a-resume': { ending: 'completed', calls: 0, cost: 0.11631225, tokens: 12 + 12 + 30_959 },
  '16a-api-hang': { ending: 'service_failed api', calls: 0, cost: 0 },
  '17-max-tokens': { ending: 'completed', calls: 0, cost: 0.12587595 },
  // Two results: the second comes after the command in the background has failed. 0.1267 is included in 0.1483.
  '18-background-command': { ending: 'completed', calls: 2, failed: 1, cost: 0.1482585 },
  '19-background-agent': { ending: 'completed', calls: 4, failed: 1, cost: 0.1637013 },
  '20-permission-rules': { ending: 'completed', calls: 6, failed: 6, cost: 0.1285248 },
  '21-search-v1.0.128': { ending: 'completed', calls: 7, failed: 2, cost: 0.07869813 },
  '22-killed-while-overloaded': { ending: 'service_failed rate_limit', calls: 1 },
  '30-bash-edits': { ending: 'completed', calls: 6, failed: 1, cost: 0.1803426 },
  '31-glob-only': { ending: 'completed', calls: 3, cost: 0.0656916 },
  '32-checks': { ending: 'completed', calls: 10, failed: 4, cost: 0.22974435 },
  '33-interrupted': { ending: 'interrupted', calls: 2, failed: 1, cost: 0.1269042 },
  '33b-killed': { ending: 'cut', calls: 2 },
  '33c-terminated': { ending: 'cut', calls: 2, failed: 1 },
  '34-invalid-key-midway': { ending: 'service_failed key', calls: 1, cost: 0.1161435 },
  '35-credit-midway': { ending: 'service_failed credit', calls: 1, cost: 0.1161135 },
  '36-server-500': { ending: 'service_failed api', calls: 1, failed: 1, cost: 0.115851 },
  '37-context': { ending: 'service_failed context', calls: 1, cost: 0.1160235 },
  '38-refused': { ending: 'completed', calls: 2, failed: 2, cost: 0.1371549 },
  '39-max-turns-work': { ending: 'service_failed turns', calls: 3, failed: 2, cost: 0.13713675 },
  '40-resume-first': { ending: 'completed', calls: 1, cost: 0.12649485 },
  // Of the 0.2539 of the whole session.
  '41-resume-second': { ending: 'completed', calls: 1, cost: 0.1273575 },
  '42-slips': { ending: 'completed', calls: 7, failed: 6, cost: 0.1908462 },
  '43-stop-once': { ending: 'completed', calls: 2, failed: 1, cost: 0.13704675 },
}

describe('recorded output streams', () => {
  test('every recording is expected here', () => {
    const names = readdirSync(join(FIXTURES, 'stream-json')).filter((name) => name.endsWith('.jsonl'))
    expect(names.map((name) => name.replace('.jsonl', ''))).toEqual(Object.keys(STREAMS))
  })

  test.each(Object.entries(STREAMS))('%s', async (name, { ending, calls, failed = 0, cost, tokens, ms }) => {
    const run = await readTranscript(fixture(`${name}.jsonl`))
    expect(run).toMatchObject({ format: 'stream-json', cwd: '/home/dev/shop', model: MODEL })
    expect([run.ending, run.service?.cause].filter(Boolean).join(' ')).toBe(ending)
    expect(run.sessionId).toMatch(/^[0-9a-f-]{36}$/)
    expect(run.toolCalls).toHaveLength(calls)
    expect(run.toolCalls.filter(({ status }) => status === 'failed')).toHaveLength(failed)
    expect(run.lines).toMatchObject({ unknown: 0, broken: 0, oversized: 0 })
    if (cost === undefined) expect(run.costUsd).toBeUndefined()
    else expect(run.costUsd).toBeCloseTo(cost, 10)
    if (tokens !== undefined)
      expect(Object.values(run.usage!).reduce((sum, count) => sum + count)).toBe(tokens)
    if (ms !== undefined) expect(run.durationMs).toBe(ms)
  })

  test('of two results the last one counts', async () => {
    const run = await readTranscript(fixture('19-background-agent.jsonl'))
    expect(run.result?.text).toBe('The agent has finished its edit of the README and all is well now.')
  })

  test('a call that had no result when the budget ran out stays unfinished', async () => {
    const run = await readTranscript(fixture('14-max-budget.jsonl'))
    expect(run.toolCalls.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'unfinished'])
  })

  test('an answer cut by the output limit is put together again', async () => {
    const run = await readTranscript(fixture('17-max-tokens.jsonl'))
    expect(run.texts).toEqual([{ text: 'This answer was cut off, and here is the rest.', subAgent: false }])
  })

  test("a sub-agent's words and calls are told from the main agent's", async () => {
    const run = await readTranscript(fixture('06c-subagent-forward-text.jsonl'))
    expect(run.texts.map(({ text, subAgent }) => [text, subAgent])).toEqual([
      ['Delegating.', false],
      ['Searching.', true],
      ['greet is defined at src/user.js:7.', true],
      ['greet is defined in src/user.js (found by the sub-agent).', false],
    ])
    expect(run.toolCalls.filter(({ subAgent }) => subAgent).map(({ name }) => name)).toEqual([
      'Bash',
      'Write',
      'Bash',
    ])
  })

  test('rate limits that were overcome, and when the quota is renewed, are facts of the run', async () => {
    expect((await readTranscript(fixture('04a-429-then-ok.jsonl'))).rateLimit.retries).toBe(2)
    const warned = await readTranscript(fixture('13a-subscription-warning.jsonl'))
    expect(warned.rateLimit).toEqual({ retries: 0, resetsAt: '2026-11-16T03:42:06.000Z' })
  })

  test('a file made by Edit with an empty old text is known as new', async () => {
    const run = await readTranscript(fixture('01-success-tools.jsonl'))
    const made = run.toolCalls.find(({ paths }) => paths[0]?.endsWith('brand-new.ts'))
    expect(made).toMatchObject({ kind: 'edit', status: 'ok', creates: true })
  })
})

const SESSIONS: Record<string, object> = {
  'headless-hooks-main': {
    ending: 'completed',
    prompt: 'Do some hooked work.',
    costUsd: 0.17804625000000002,
  },
  // Its file alone: the sub-agent is the main agent of it.
  'headless-hooks-subagent': { ending: 'completed', texts: [{ text: 'Listed.', subAgent: false }] },
  interactive: { ending: 'completed', prompt: 'Please write a file.', durationMs: 726, costUsd: 0.0934536 },
  // Two turns and a compaction; the summary the program wrote is nobody's prompt and nobody's text.
  'resumed-and-compacted': {
    ending: 'completed',
    prompt: 'Say hello.',
    costUsd: 0.354948,
    texts: [
      { text: 'Hello from the scripted model.', subAgent: false },
      { text: 'Answer of this run.', subAgent: false },
    ],
  },
  'resumed-with-work': { ending: 'completed', prompt: 'Create a.txt.', costUsd: 0.25385234999999995 },
  sigkilled: { ending: 'cut', prompt: 'Write a large file.', costUsd: undefined },
}

describe('recorded session files', () => {
  test.each(Object.entries(SESSIONS))('%s', async (name, expected) => {
    const run = await readTranscript(fixture(`session-files/${name}.jsonl`))
    expect(run).toMatchObject({
      format: 'session',
      cwd: '/home/dev/shop',
      model: MODEL,
      ...expected,
    })
    expect(run.lines).toMatchObject({ unknown: 0, broken: 0 })
  })

  test('stream and session file of the same run tell the same', async () => {
    const stream = await readTranscript(fixture('11-hooks.jsonl'))
    const session = await readTranscript(fixture('session-files/headless-hooks-main.jsonl'))
    expect(session.sessionId).toBe(stream.sessionId)
    expect(session.usage).toEqual(stream.usage)
    expect(session.costUsd).toBe(stream.costUsd)
    expect(session.toolCalls).toEqual(stream.toolCalls.filter(({ subAgent }) => !subAgent))
  })

  test('the standard input of hooks is no transcript', async () => {
    await expect(readTranscript(fixture('session-files/interactive.hooks-input.jsonl'))).rejects.toThrow(
      /none of its 6 lines is from a run of an agent/,
    )
  })
})

test('the recordings are the bytes that were recorded, the cut character included', () => {
  const bytes = readFileSync(fixture('05-sigkill.jsonl'))
  expect(bytes.at(-1)).not.toBe(10)
})
