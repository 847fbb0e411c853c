import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AgentRun, tokensIn } from '../../../src/transcripts/agent-run.ts'
import { Collector } from '../../../src/transcripts/collector.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { callsOf, endOf } from '../told-lines.ts'
import { RECORDED } from './stored.ts'

const LOG = `node -e "for (let i = 1; i <= 1000; i++) console.log('line ' + i + ' of the build log: compiled module number ' + i)"`
const FATAL = `node -e "for (let i = 1; i <= 1500; i++) console.log('line ' + i); console.error('FATAL: disk quota exceeded at step 1500'); process.exit(3)"`
const ROWS = `node -e "require('fs').writeFileSync('big.txt', Array.from({ length: 2500 }, (_, i) => 'row ' + i).join(String.fromCharCode(10)))"`
const COMMIT = `git add -A && git commit -qm 'Count quantities, allow carts without a coupon' && git log --oneline -1`

/** Read off the recordings: tokens are the sums of `tokens.total`. */
const STREAMS: Record<
  string,
  { end: string; calls?: string[]; tokens?: number; cost?: number; closing?: string }
> = {
  '00-hello': { end: 'completed', tokens: 7_687, cost: 0.0021663, closing: 'Hello! Nothing to do.' },
  '01-first-go': {
    end: 'completed',
    calls: [
      '✓ glob',
      '✓ read src/cart.js',
      '✓ read test/cart.test.js',
      '✓ grep src/cart.js',
      '✓ edit src/cart.js',
      '✓ edit src/cart.js',
      '✓ write new docs/cart.md',
      '✓ bash npm test',
      `✓ bash ${COMMIT}`,
    ],
    tokens: 7_736 + 8_008 + 8_360 + 8_519 + 8_644 + 8_851 + 8_949,
    cost: 0.0171966,
    closing:
      'Fixed the cart: `subtotal` now multiplies by the quantity and `discount` returns 0 without a coupon. All 3 tests pass; committed.',
  },
  '02-mended': {
    end: 'completed',
    calls: [
      '✗ bash npm test',
      '✗ edit src/cart.js',
      '✗ read src/missing.js',
      '✓ read src/cart.js',
      '✓ edit src/cart.js',
      '✗ edit src/cart.js',
      '✗ bash yarn-is-not-here test',
      '✓ bash npm test | tail -3; true',
      '✗ no_such_tool',
      '✗ read',
      '✓ edit src/cart.js',
      '✗ bash sleep 5',
      '✓ bash npm test',
    ],
    tokens: 7_701 + 8_512 + 8_641 + 8_955 + 9_110 + 9_249 + 9_550 + 9_723 + 9_926,
    cost: 0.0234587,
    closing:
      'The root cause was that `subtotal` ignored quantities and `discount` dereferenced a missing coupon. Both are fixed; all tests pass.',
  },
  '03a-500-then-ok': {
    end: 'completed',
    calls: ['✓ read src/money.js'],
    tokens: 7_704 + 7_835,
    cost: 0.0044046,
    closing: 'It exports cents() and format().',
  },
  '03b-500-forever': {
    end: 'service_failed api passing',
    calls: ['✓ read src/money.js'],
    tokens: 7_704,
    cost: 0.0021917,
    closing: 'The server had an error while processing your request.',
  },
  '03c-429-forever': {
    end: 'service_failed rate_limit passing',
    calls: ['✓ read src/money.js'],
    tokens: 7_704,
    cost: 0.0021917,
    closing: 'Rate limit reached for fake-model. Please try again in 1s.',
  },
  // The context was too long, was made shorter, and the answer came all the same.
  '03e-context-length': {
    end: 'completed',
    calls: ['✓ read src/money.js'],
    tokens: 7_704 + 668 + 7_831,
    cost: 0.0046213,
    closing: 'It exports cents() and format().',
  },
  '03f-401': { end: 'service_failed key', closing: 'Incorrect API key provided: sk-fake-****-key.' },
  '03j-length': { end: 'completed', tokens: 7_693, cost: 0.0021697, closing: 'It exports cents(), which' },
  '03k-unknown-model': {
    end: 'service_failed api',
    closing: 'Unexpected server error. Check server logs for details.',
  },
  // The command that was running is not in the stream.
  '04a-sigterm': { end: 'cut', calls: ['✓ read src/cart.js'], tokens: 7_702, cost: 0.0021915 },
  '04b-sigkill': { end: 'cut', calls: ['✓ edit src/cart.js'], tokens: 7_745, cost: 0.0022775 },
  '04c-sigint': { end: 'cut', calls: ['✓ read src/cart.js'], tokens: 7_702, cost: 0.0021915 },
  '05-mcp': {
    end: 'completed',
    calls: [
      '✓ ralph_search_feature_memory',
      '✓ ralph_append_feature_learning',
      '✗ ralph_search_feature_memory',
    ],
    tokens: 10_076 + 10_279 + 10_362 + 10_450,
    cost: 0.0117508,
    closing: 'Memory knew one failed attempt at the cart; I kept one learning.',
  },
  '05c-mcp-default-permissions': {
    end: 'completed',
    calls: ['✓ ralph_search_feature_memory', '✓ write new x.txt', '✗ bash npm test'],
    tokens: 10_069 + 10_249 + 11_064,
    cost: 0.0089002,
    closing: 'Done.',
  },
  '06-large-output': {
    end: 'completed',
    calls: [
      `✓ bash ${LOG}`,
      `✗ bash ${FATAL}`,
      `✓ bash node -e "process.stdout.write('x'.repeat(20000))"`,
      `✓ bash ${ROWS}`,
      '✓ read big.txt',
    ],
    tokens: 7_727 + 20_881 + 21_676 + 26_787 + 34_336,
    cost: 0.0315308,
    closing: 'The log has 1000 lines; the second command failed with exit code 3.',
  },
  '07-plugin-hooks': {
    end: 'completed',
    calls: [
      '✓ read src/cart.js',
      '✗ bash echo "env: $MARKER_ENV"; npm test',
      '✓ edit src/cart.js',
      '✗ bash rm -rf test',
      '✗ edit src/cart.js',
    ],
    tokens: 7_760 + 8_787 + 8_903 + 9_037,
    cost: 0.009912,
    closing: 'Fixed.',
  },
  // Only what the second run did and used.
  '08a-resume': {
    end: 'completed',
    calls: ['✓ edit src/cart.js', '✓ bash npm test 2>&1 | grep "^# "'],
    tokens: 9_015 + 9_092 + 9_205,
    cost: 0.0142324,
    closing: 'Discounts are now rounded down.',
  },
  // It says nothing more, and its exit code is 0.
  '09-permission-denied': {
    end: 'failed',
    calls: ['✗ write NOTE.md'],
    tokens: 6_390,
    cost: 0.0018312,
    closing: 'The user rejected permission to use this specific tool call.',
  },
  '10-subagent': {
    end: 'completed',
    calls: ['✓ task'],
    tokens: 7_722 + 7_824,
    cost: 0.0044396,
    closing: 'The helper says: quantities must be counted.',
  },
  // Its stream has no line for the edit that failed.
  '12-old-1.1.27': {
    end: 'completed',
    calls: ['✓ read src/cart.js', '✗ bash npm test', '✓ edit src/cart.js', '✗ bash exit 3'],
    tokens: 12_462 + 172 + 49_839,
    cost: 0.0177899,
    closing: 'Half of it is fixed: quantities count now.',
  },
}

const stream = (name: string) => readTranscript(join(RECORDED, 'stream', `${name}.jsonl`))

describe('the stream of opencode', () => {
  test.each(Object.entries(STREAMS))('%s', async (name, told) => {
    const run = await stream(name)
    expect({ agent: run.agent, format: run.format, unknown: run.lines.unknown }).toEqual({
      agent: 'opencode',
      format: 'stream-json',
      unknown: 0,
    })
    expect(run.sessionId).toMatch(/^ses_/)
    expect(endOf(run)).toBe(told.end)
    expect(callsOf(run)).toEqual(told.calls ?? [])
    expect(run.usage && tokensIn(run.usage)).toBe(told.tokens)
    if (told.cost === undefined) expect(run.costUsd).toBeUndefined()
    else expect(run.costUsd).toBeCloseTo(told.cost, 10)
    expect(run.result?.text).toBe(told.closing)
  })

  test('every recording is expected', () => {
    const recorded = readdirSync(join(RECORDED, 'stream')).map((file) => file.replace('.jsonl', ''))
    expect(recorded.sort()).toEqual(Object.keys(STREAMS).sort())
  })

  test('the exit code of a command stands before its output, and a timeout is told as one', async () => {
    const { toolCalls } = await stream('02-mended')
    const output = (command: string) => toolCalls.find((call) => call.command === command)?.output
    expect(output('yarn-is-not-here test')).toBe(
      'Exit code 127\n/bin/bash: line 1: yarn-is-not-here: command not found\n',
    )
    expect(output('sleep 5')).toBe('Command timed out after 800 ms\n')
  })

  test('of a long output the end is kept, without what opencode says about it', async () => {
    const { toolCalls } = await stream('06-large-output')
    expect(toolCalls[0]?.output).toMatch(/^line 52 of the build log/)
    expect(toolCalls[1]?.output).toMatch(
      /^Exit code 3\nline 1\n[\s\S]*FATAL: disk quota exceeded at step 1500\s*$/,
    )
    expect(toolCalls[3]?.output).toBe('')
  })
})

const SESSION = 'ses_0123456789'

function collect(...lines: Record<string, unknown>[]): AgentRun {
  const collector = new Collector()
  for (const line of lines)
    collector.pushLine(JSON.stringify({ timestamp: 1_794_849_545_631, sessionID: SESSION, ...line }))
  return collector.finish()
}

const tool = (id: string, name: string, state: Record<string, unknown>) => ({
  type: 'tool_use',
  part: { id, type: 'tool', tool: name, callID: `call_${id}`, state },
})

describe('what no recording shows', () => {
  test('a patch changes, adds, moves and deletes files', () => {
    const files = [
      { filePath: '/p/a.js', type: 'update' },
      { filePath: '/p/b.js', type: 'add' },
      { filePath: '/p/c.js', type: 'delete' },
      { filePath: '/p/d.js', type: 'move', movePath: '/p/e.js' },
    ]
    const run = collect(
      tool('1', 'apply_patch', {
        status: 'completed',
        input: { patchText: '*** Begin Patch\n*** Update File: a.js\n*** End Patch' },
        output: 'Success.',
        metadata: { files },
      }),
    )
    expect(run.toolCalls[0]).toMatchObject({
      kind: 'edit',
      status: 'ok',
      changes: [
        { path: '/p/a.js', action: 'modified' },
        { path: '/p/b.js', action: 'created' },
        { path: '/p/c.js', action: 'deleted' },
        { path: '/p/d.js', action: 'deleted' },
        { path: '/p/e.js', action: 'created' },
      ],
    })
  })

  test('each command begins where the run was started, if it is not told where', () => {
    const command = (id: string, input: object) =>
      tool(id, 'bash', { status: 'completed', input, output: '', metadata: { exit: 0 } })
    const run = collect(
      command('1', { command: 'cd sub && npm test' }),
      command('2', { command: 'npm test', workdir: '/p/sub' }),
    )
    expect(run.toolCalls.map(({ directory }) => directory)).toEqual(['.', '/p/sub'])
  })

  test('a call that is told once more, since its output was dropped from the context, counts once', () => {
    const call = tool('1', 'bash', {
      status: 'completed',
      input: { command: 'ls' },
      output: 'a',
      metadata: { exit: 0 },
    })
    expect(callsOf(collect(call, call))).toEqual(['✓ bash ls'])
  })

  test('a model without a price costs an unknown sum', () => {
    const step = {
      type: 'step_finish',
      part: { id: '1', type: 'step-finish', reason: 'stop', cost: 0, tokens: { input: 5 } },
    }
    const run = collect(step)
    expect([run.costUsd, run.usage?.input]).toEqual([undefined, 5])
  })

  test('an answer that a person stopped is interrupted', () => {
    const run = collect({
      type: 'error',
      error: { name: 'MessageAbortedError', data: { message: 'Aborted' } },
    })
    expect(run.ending).toBe('interrupted')
  })

  test('a summary that was under way when the program was killed is no answer', () => {
    const run = collect(
      { type: 'error', error: { name: 'ContextOverflowError', data: { message: 'too long' } } },
      { type: 'text', part: { id: '1', type: 'text', text: 'Summary: so far' } },
      { type: 'step_finish', part: { id: '2', type: 'step-finish', reason: 'stop' } },
      { type: 'text', part: { id: '3', type: 'text', text: 'Now I go on with the next file.' } },
    )
    expect([endOf(run), run.texts.map(({ text }) => text)]).toEqual([
      'cut',
      ['Now I go on with the next file.'],
    ])
  })

  test('a folder that was read is no file', () => {
    const run = collect(
      tool('1', 'read', {
        status: 'completed',
        input: { filePath: '/p/src' },
        output: '<path>/p/src</path>\n<type>directory</type>\n<entries>\n</entries>',
        metadata: {},
      }),
    )
    expect(run.toolCalls[0]?.paths).toEqual([])
  })
})
