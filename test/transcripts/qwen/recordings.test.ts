import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Collector } from '../../../src/transcripts/collector.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { calls, ending, tokens } from '../told.ts'
import { exchangesOf } from '../told-exchanges.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/agents/qwen')
const stream = (name: string) => join(FIXTURES, 'stream', `${name}.jsonl`)
const session = (name: string) => join(FIXTURES, 'session-files', `${name}.session.jsonl`)

const FIXED =
  'Fixed the cart: `subtotal` now multiplies by the quantity and `discount` returns 0 without a coupon. All 3 tests pass; committed.'
const ROOT_CAUSE =
  'The root cause was that `subtotal` ignored quantities and `discount` dereferenced a missing coupon. Both are fixed; all tests pass.'

/** Read off the recordings. */
interface Expected {
  id: string
  ending: string
  said: string | undefined
  calls: string[]
  tokens: number[] | undefined
}

const COMMIT =
  "ok run_shell_command git add -A && git commit -qm 'Count quantities, allow carts without a coupon' && git log --oneline -1"
const FIRST_GO = [
  'ok read_file src/cart.js',
  'ok glob',
  'ok read_file test/cart.test.js',
  'ok grep_search',
  'ok edit src/cart.js',
  'ok edit src/cart.js',
  'ok write_file docs/cart.md (new)',
  'ok run_shell_command npm test',
  COMMIT,
]
const RESUMED = [
  'ok read_file src/cart.js',
  'ok edit src/cart.js',
  'ok run_shell_command npm test 2>&1 | grep "^# "',
]
const SLOW = 'run_shell_command echo started; sleep 60; echo never'

const STREAMS: Record<string, Expected> = {
  '00-hello': {
    id: 'c3fd7a71-d729-4f70-89be-43b9140cded6',
    ending: 'completed',
    said: 'Hello! Nothing to do.',
    calls: [],
    tokens: [18_617, 8, 0],
  },
  // What came from the cache is in the input tokens too: 136,181 together.
  '01-first-go': {
    id: '90208b28-9d92-4fbd-8eb4-0ff62bc58583',
    ending: 'completed',
    said: FIXED,
    calls: FIRST_GO,
    tokens: [136_181 - 94_046, 401, 94_046],
  },
  '02-mended': {
    id: '12003ed0-f1a1-4d0f-802a-12165fc08918',
    ending: 'completed',
    said: ROOT_CAUSE,
    calls: [
      'failed run_shell_command npm test',
      'ok read_file src/cart.js',
      'failed edit src/cart.js',
      'failed read_file src/missing.js',
      'ok edit src/cart.js',
      'failed edit src/cart.js',
      'failed run_shell_command yarn-is-not-here test',
      'ok run_shell_command npm test | tail -3; true',
      'failed no_such_tool',
      'failed read_file wrong argument name',
      'ok edit src/cart.js',
      'failed run_shell_command sleep 5',
      'ok run_shell_command npm test',
    ],
    tokens: [51_122, 435, 129_969],
  },
  '03b-500-forever': {
    id: '9ebf1541-fe18-4fc3-b308-9a24b7ce558d',
    ending: 'service_failed api, passing',
    said: undefined,
    calls: ['ok read_file src/money.js'],
    tokens: [18_622, 21, 0],
  },
  // Ended from outside while it waited for the limit.
  '03c-429-forever': {
    id: '60009e31-72cc-4833-8d57-338f9403aebb',
    ending: 'service_failed rate_limit, passing',
    said: undefined,
    calls: ['ok read_file src/money.js'],
    tokens: [18_622, 21, 0],
  },
  '03f-401': {
    id: '771cbe2d-e49c-4ca4-b021-ebb1730851b1',
    ending: 'service_failed key',
    said: undefined,
    calls: [],
    tokens: [0, 0, 0],
  },
  '04a-sigterm': {
    id: '1cb2fe41-c46f-40c5-ab9f-5531c1c2e1f8',
    ending: 'cut',
    said: 'Now the slow check.',
    calls: ['ok read_file src/cart.js', `unfinished ${SLOW}`],
    tokens: [22_375, 54, 15_023],
  },
  '04b-sigkill': {
    id: '1ed631c0-afce-471c-9f8f-b9763c67bb54',
    ending: 'cut',
    said: 'Now the slow check.',
    calls: ['ok read_file src/cart.js', 'ok edit src/cart.js', `unfinished ${SLOW}`],
    tokens: [22_416, 115, 15_184],
  },
  // The second call went through `tool_call`.
  '05-mcp': {
    id: 'abf1b448-64f6-4831-88ce-104f778a8cc0',
    ending: 'completed',
    said: 'Memory knew one failed attempt at the cart.',
    calls: [
      'ok mcp__ralph__search_feature_memory',
      'ok tool_search',
      'ok mcp__ralph__append_feature_learning',
      'failed mcp__ralph__search_feature_memory',
    ],
    tokens: [36_047, 152, 66_560],
  },
  '07-hooks': {
    id: 'ff7af284-b703-4db9-8f0f-ee952c9b4d19',
    ending: 'completed',
    said: 'Fixed.',
    calls: [
      'ok read_file src/cart.js',
      'failed run_shell_command npm test',
      'ok edit src/cart.js',
      'failed edit src/cart.js',
    ],
    tokens: [30_694, 139, 47_954],
  },
  // Its result counts the earlier run again: 197,813 in place of 61,632.
  '08a-resume': {
    id: '90208b28-9d92-4fbd-8eb4-0ff62bc58583',
    ending: 'completed',
    said: 'Discounts are now rounded down.',
    calls: RESUMED,
    tokens: [61_632 - 33_097, 96, 33_097],
  },
}

describe('the stream of a run', () => {
  test.each(Object.entries(STREAMS))('%s', async (name, expected) => {
    const run = await readTranscript(stream(name))
    expect([run.agent, run.format, run.version, run.cwd, run.model, run.lines.unknown]).toEqual([
      'qwen',
      'stream-json',
      '0.24.4',
      '/home/user/project',
      'qwen3-coder-plus',
      0,
    ])
    expect({
      id: run.sessionId,
      ending: ending(run),
      said: run.texts.at(-1)?.text,
      calls: calls(run),
      tokens: tokens(run),
    }).toEqual(expected)
  })

  test('a failed command is told without the frame around its output', async () => {
    const { toolCalls } = await readTranscript(stream('06-large-output'))
    expect(toolCalls.map(({ status }) => status)).toEqual(['ok', 'failed'])
    expect(toolCalls[1]?.output).toMatch(
      /^Exit code 3\nline 1\n[\s\S]*\nFATAL: disk quota exceeded at step 1500$/,
    )
  })

  test('an API failure is nothing that the model said', async () => {
    const { texts, result, service } = await readTranscript(stream('03f-401'))
    expect(texts).toEqual([])
    expect(result?.text).toBe('401 Incorrect API key provided: sk-fake-****-key.')
    expect(service?.words).toBe('401 Incorrect API key provided: sk-fake-****-key.')
  })

  test('a wait for a limit counts as one', async () => {
    const { rateLimit } = await readTranscript(stream('03c-429-forever'))
    expect(rateLimit.retries).toBe(2)
  })

  test('without its first line it can be read when somebody says whose it is', () => {
    const [, ...rest] = readFileSync(stream('01-first-go'), 'utf8').split('\n')
    const told = new Collector({ agent: 'qwen' })
    told.push(rest.join('\n'))
    expect(calls(told.finish())).toEqual(FIRST_GO)
  })
})

const IN_SESSION: Record<string, Partial<Expected> & { prompt: string }> = {
  '00-hello': { prompt: 'Say hello.' },
  '01-first-go': {
    prompt: 'The cart tests fail. Fix them.',
    calls: FIRST_GO.map((call) => call.replace('grep_search', 'grep_search src/cart.js')),
  },
  '02-mended': { prompt: 'npm test fails. Find out why and mend it.' },
  '03b-500-forever': { prompt: 'What does src/money.js export?' },
  '03c-429-forever': { prompt: 'What does src/money.js export?' },
  '03f-401': { prompt: 'What does src/money.js export?', tokens: undefined },
  '04a-sigterm': { prompt: 'Run the slow check.' },
  '04b-sigkill': { prompt: 'Run the slow check.' },
  '05-mcp': { prompt: 'Ask the memory what failed before at the cart, then keep what you learned.' },
  '07-hooks': { prompt: 'The cart tests fail. Fix them.' },
}

describe('the session file of a run', () => {
  test.each(Object.entries(IN_SESSION))('%s', async (name, { prompt, ...differs }) => {
    const run = await readTranscript(session(name))
    expect([run.agent, run.format, run.version, run.cwd, run.prompt, run.lines.unknown]).toEqual([
      'qwen',
      'session',
      '0.24.4',
      '/home/user/project',
      prompt,
      0,
    ])
    expect({
      id: run.sessionId,
      ending: ending(run),
      said: run.texts.at(-1)?.text,
      calls: calls(run),
      tokens: tokens(run),
    }).toEqual({ ...STREAMS[name], ...differs })
  })

  test.each(Object.entries(IN_SESSION))('%s is one exchange', async (name, { prompt }) => {
    const { id, said, ending } = STREAMS[name]!
    const exchanges = await exchangesOf(session(name))
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]).toMatchObject({
      conversationId: id,
      prompt,
      answer: said ?? '',
      interrupted: ending !== 'completed',
    })
  })

  test('a resumed session goes on in the same file', async () => {
    const run = await readTranscript(session('08a-resume'))
    expect(calls(run)).toEqual([...IN_SESSION['01-first-go']!.calls!, ...RESUMED])
    expect(tokens(run)).toEqual([42_135 + 28_535, 401 + 96, 94_046 + 33_097])
    expect((await exchangesOf(session('08a-resume'))).map(({ prompt, answer }) => [prompt, answer])).toEqual([
      ['The cart tests fail. Fix them.', FIXED],
      ['Now also round the discount down.', 'Discounts are now rounded down.'],
    ])
  })

  test('what the service refused many times is told once', async () => {
    const [exchange] = await exchangesOf(session('03b-500-forever'))
    expect(exchange?.steps.filter(({ role }) => role === 'system')).toEqual([
      { role: 'system', content: '500 The server had an error while processing your request.' },
    ])
  })
})
