import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Collector } from '../../../src/transcripts/collector.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { sessionOf, streamOf, testRecordings } from '../recorded-agent.ts'
import { exchangesOf } from '../told-exchanges.ts'
import { RECORDINGS } from './recordings.ts'

const rollout = (name: string) => sessionOf('codex', name, '.rollout')

describe('what the recordings of Codex CLI hold', () => {
  testRecordings('codex', RECORDINGS, '.rollout')
})

describe('beyond the table', () => {
  test('the rollout knows the project, the version, the words of the person and the time', async () => {
    const run = await readTranscript(rollout('02-mended'))
    expect(run).toMatchObject({
      cwd: '/home/user/project',
      version: '0.166.0',
      prompt: expect.stringMatching(/^npm test fails\. Find out why/),
      startedAt: '2026-11-16T17:07:27.143Z',
      endedAt: '2026-11-16T17:07:29.360Z',
      durationMs: 2227,
    })
  })

  test('a failed command tells its exit code first, and a patch that failed the reason', async () => {
    const { toolCalls } = await readTranscript(rollout('02-mended'))
    expect(toolCalls.find(({ command }) => command === 'yarn-is-not-here test')?.output).toBe(
      'Exit code 127\n/bin/bash: line 1: yarn-is-not-here: command not found\n',
    )
    expect(toolCalls.find(({ kind, status }) => kind === 'edit' && status === 'failed')).toMatchObject({
      output: expect.stringMatching(/^apply_patch verification failed: Failed to find expected lines/),
    })
  })

  test('a request that was asked again five times', async () => {
    const run = await readTranscript(streamOf('codex', '03c-429-forever'))
    expect(run.rateLimit.retries).toBe(5)
    expect(run.service).toMatchObject({ cause: 'rate_limit', passing: true })
    const busy = await readTranscript(streamOf('codex', '03b-500-forever'))
    expect(busy.service).toMatchObject({ cause: 'api', passing: true })
    expect(busy.rateLimit.retries).toBe(0)
  })

  test.each([streamOf('codex', '03d-usage-limit'), rollout('03d-usage-limit')])(
    'when a plan is renewed, by the clock of the machine',
    async (path) => {
      const { rateLimit } = await readTranscript(path)
      expect(rateLimit.resetsAt).toBe(new Date(2026, 10, 17, 7, 20).toISOString())
    },
  )

  test('a command that was interrupted is unfinished, with what it had printed', async () => {
    const { toolCalls } = await readTranscript(rollout('04c-sigint'))
    expect(toolCalls.at(-1)).toMatchObject({ status: 'unfinished', output: 'started\n' })
  })

  test('of a resumed thread only what the second run used, where only that is asked for', async () => {
    const path = rollout('08a-resume')
    const bytes = readFileSync(path)
    const from = bytes.indexOf('{"timestamp":"2026-11-16T17:09:11.4')
    expect(from).toBeGreaterThan(0)
    const second = await readTranscript(path, { part: { from, to: bytes.length } })
    const before = await readTranscript(path, { part: { from: 0, to: from } })
    const whole = await readTranscript(path)
    expect(before.usage).toEqual({ input: 20_103, output: 345, cacheRead: 42_269, cacheWrite: 0 })
    expect(second.usage).toEqual({ input: 18_177, output: 278, cacheRead: 27_973, cacheWrite: 0 })
    expect(whole.usage).toEqual({ input: 38_280, output: 623, cacheRead: 70_242, cacheWrite: 0 })
    expect(second.toolCalls.map(({ status }) => status)).toEqual(['failed', 'ok', 'ok'])
  })

  test('waiting for the next prompt is nobody’s work', async () => {
    const { durationMs, startedAt, endedAt } = await readTranscript(rollout('08a-resume'))
    expect(durationMs).toBeLessThan(Date.parse(endedAt!) - Date.parse(startedAt!) - 400)
  })

  test('no separator but the line feed ends a line', () => {
    const collector = new Collector()
    const text = 'one\u2028two\u2029three'
    collector.push(`{"type":"thread.started","thread_id":"t"}\n`)
    collector.push(
      `{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"${text}"}}\n`,
    )
    expect(collector.finish()).toMatchObject({ texts: [{ text }], lines: { total: 2, broken: 0 } })
  })
})

describe('the conversations in rollouts', () => {
  test('each prompt of a person with its answer', async () => {
    const exchanges = await exchangesOf(rollout('08a-resume'))
    expect(exchanges).toMatchObject([
      {
        conversationId: '01a1e555-86f4-73d3-84c1-8c953a7067d7',
        promptId: '01a1e555-873d-78e0-bb53-92cb75a48352',
        prompt: 'The cart tests fail. Fix them.',
        answer: expect.stringMatching(/^Fixed the cart: .* committed\.$/),
        interrupted: false,
        startedAt: new Date('2026-11-16T17:09:10.078Z'),
      },
      {
        prompt: 'Now also round the discount down and add a test.',
        answer: 'Discounts are now rounded down; there is a test for it.',
      },
    ])
    expect(exchanges[1]!.steps.map(({ role, content }) => `${role} ${content.split('\n')[0]}`)).toEqual([
      'assistant Continuing from the last session.',
      'tool_call src/cart.js, test/cart.test.js',
      expect.stringMatching(/^tool_result \(failed\) apply_patch verification failed/),
      'tool_call test/cart.test.js, src/cart.js',
      'tool_result Success. Updated the following files:',
      'tool_call npm test 2>&1 | grep "^# "',
      'tool_result # Subtest: subtotal counts quantities',
    ])
  })

  test('neither the surroundings nor a hook nor an interruption is a prompt', async () => {
    for (const name of ['04c-sigint', '07-hooks', '10-subagents', '12-old-0.120.0'])
      expect(await exchangesOf(rollout(name))).toHaveLength(1)
    expect(await exchangesOf(rollout('04c-sigint'))).toMatchObject([
      { prompt: 'Run the slow check.', answer: 'Now the slow check.', interrupted: true },
    ])
  })

  test('what memory answered is not repeated', async () => {
    const [exchange] = await exchangesOf(rollout('05-mcp'))
    expect(exchange!.steps.map(({ role }) => role)).toEqual(['tool_call', 'tool_call', 'tool_call'])
  })

  test('the service’s words where it ended the turn', async () => {
    expect(await exchangesOf(rollout('03e-context-length'))).toMatchObject([
      {
        answer: '',
        interrupted: true,
        steps: [{}, {}, { role: 'system', content: expect.stringMatching(/out of room/) }],
      },
    ])
  })
})
