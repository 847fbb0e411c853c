import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentRun, TokenUsage } from '../../../src/transcripts/agent-run.ts'
import { Collector } from '../../../src/transcripts/collector.ts'
import { copilotSessions } from '../../../src/transcripts/copilot/sessions.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { sessionTold } from '../told-exchanges.ts'
import { callsOf, endOf } from '../told-lines.ts'

const RECORDED = join(import.meta.dirname, '../../fixtures/agents/copilot')
const COMMIT = `git add -A && git commit -qm 'Count quantities, allow carts without a coupon' && git log --oneline -1`
const FAILED =
  'Failed to get response from the AI model; retried 5 times (total retry wait time: 15.28 seconds) Last error: 500 The server had an error while processing your request.'

interface Told {
  session: string
  end: string
  prompt: string
  calls?: string[]
  closing?: string
  /** Sums over the usage records, which only the file has: input is without what came from the cache. */
  usage?: Omit<TokenUsage, 'cacheWrite'>
}

const RUNS: Record<string, Told> = {
  '00-hello': {
    session: '3c6e7885-bdd6-401a-9bd9-2359e9a161b9',
    end: 'completed',
    prompt: 'Say hello.',
    closing: 'Hello! Nothing to do.',
    usage: { input: 12_162, output: 8, cacheRead: 0 },
  },
  '01-first-go': {
    session: '59526327-ea72-48d8-a6a7-8cabb2cdcde4',
    end: 'completed',
    prompt: 'The cart tests fail. Fix them.',
    calls: [
      '✓ view src/cart.js',
      '✓ glob',
      '✓ view test/cart.test.js',
      '✓ grep src/cart.js',
      '✓ edit src/cart.js',
      '✓ edit src/cart.js',
      '✓ create new docs-cart.md',
      '✓ bash npm test',
      `✓ bash ${COMMIT}`,
    ],
    closing:
      'Fixed the cart: `subtotal` now multiplies by the quantity and `discount` returns 0 without a coupon. All 3 tests pass; committed.',
    usage: { input: 89_680 - 62_008, output: 393, cacheRead: 62_008 },
  },
  '02-mended': {
    session: '47dd8271-1b8a-4e87-aa37-42f6f88856e6',
    end: 'completed',
    prompt: 'npm test fails. Find out why and mend it.',
    calls: [
      '✗ bash npm test',
      '✗ edit src/cart.js',
      '✓ view src/cart.js',
      '✗ view src/missing.js',
      '✓ edit src/cart.js',
      '✗ edit src/cart.js',
      '✗ bash yarn-is-not-here test',
      '✓ bash npm test | tail -3; true',
      '✗ no_such_tool',
      '✗ view',
      '✓ edit src/cart.js',
      '✓ bash npm test',
    ],
    closing:
      'The root cause was that `subtotal` ignored quantities and `discount` dereferenced a missing coupon. Both are fixed; all tests pass.',
    usage: { input: 121_479 - 87_445, output: 425, cacheRead: 87_445 },
  },
  '03b-500-forever': {
    session: '6147c45f-6645-4d7c-8a28-897b6a71abbc',
    end: 'service_failed api passing',
    prompt: 'What does src/money.js export?',
    calls: ['✓ view src/money.js'],
    closing: FAILED,
    usage: { input: 12_167, output: 19, cacheRead: 0 },
  },
  '03c-429-forever': {
    session: '9b415973-2324-44ee-aa14-ce00aa1ab55f',
    end: 'service_failed rate_limit passing',
    prompt: 'What does src/money.js export?',
    calls: ['✓ view src/money.js'],
    closing:
      'Failed to get response from the AI model; retried 5 times (total retry wait time: 5.48 seconds) Last error: 429 Rate limit reached. Please try again in 1s.',
    usage: { input: 12_167, output: 19, cacheRead: 0 },
  },
  '03f-401': {
    session: '593f32de-0740-426b-bf43-b1972c2bb881',
    end: 'service_failed key',
    prompt: 'What does src/money.js export?',
    closing: expect.stringMatching(/^Authentication failed with provider at .* \(HTTP 401\)\./),
  },
  '04a-sigterm': {
    session: 'aa702008-4a6f-4457-8fc0-c98a8ae8b44f',
    end: 'interrupted',
    prompt: 'Run the slow check.',
    calls: ['✓ view src/cart.js', '… bash echo started; sleep 60; echo never'],
    closing: 'Now the slow check.',
    usage: { input: 24_483 - 9_855, output: 57, cacheRead: 9_855 },
  },
  '04b-sigkill': {
    session: 'aa5811b2-c315-4f25-a171-716c1306c448',
    end: 'cut',
    prompt: 'Run the slow check.',
    calls: ['✓ edit src/cart.js', '… bash echo started; sleep 60; echo never'],
    usage: { input: 14_623, output: 99, cacheRead: 9_835 },
  },
  '05-mcp': {
    session: '458445bd-ace0-4790-a493-577d97098bf7',
    end: 'completed',
    prompt: 'Ask the memory what failed before at the cart, then keep what you learned.',
    calls: [
      '✓ ralph-search_feature_memory',
      '✓ ralph-append_feature_learning',
      '✗ ralph-search_feature_memory',
    ],
    closing: 'Memory knew one failed attempt at the cart; I kept one learning.',
    usage: { input: 22_698, output: 123, cacheRead: 34_683 },
  },
  '06-large-output': {
    session: '230d5ae9-3779-48a4-a70f-031828a5f6a3',
    end: 'completed',
    prompt: 'Show me the log and the numbers.',
    calls: [
      '✓ bash seq 1 6000',
      '✗ bash seq 1 1500; echo FATAL: disk quota exceeded at step 1500 >&2; exit 3',
    ],
    closing: 'There are 6000 numbers; the second command failed with exit code 3.',
    usage: { input: 17_591, output: 90, cacheRead: 21_691 },
  },
  '07-hooks': {
    session: 'a714c301-4bc5-409e-b2cd-f51002c17a38',
    end: 'completed',
    prompt: 'The cart tests fail. Fix them.',
    calls: ['✓ view src/cart.js', '✗ bash npm test', '✓ edit src/cart.js', '✗ edit src/cart.js'],
    closing: 'Fixed.',
    usage: { input: 20_298, output: 137, cacheRead: 32_336 },
  },
}

const streamOf = (name: string) => join(RECORDED, 'stream', `${name}.jsonl`)
const eventsOf = (name: string) => join(RECORDED, 'session-files', `${name}.events.jsonl`)

describe.each(Object.entries(RUNS))('Copilot, %s', (name, told) => {
  test('its stream', async () => {
    const run = await readTranscript(streamOf(name))
    expect([run.agent, run.format, run.lines.unknown]).toEqual(['copilot', 'stream-json', 0])
    expect([endOf(run), run.prompt]).toEqual([told.end, told.prompt])
    expect(callsOf(run)).toEqual(told.calls ?? [])
    const isKilled = name.startsWith('04')
    // Only its last line names the session, and says that all went well.
    expect(run.sessionId).toBe(isKilled ? undefined : told.session)
    expect(run.result?.text).toEqual(isKilled ? undefined : told.closing)
    expect([run.usage, run.costUsd]).toEqual([undefined, undefined])
  })

  test('the events it kept', async () => {
    const run = await readTranscript(eventsOf(name))
    expect([run.agent, run.format, run.lines.unknown]).toEqual(['copilot', 'session', 0])
    expect([endOf(run), run.prompt]).toEqual([told.end, told.prompt])
    expect(callsOf(run)).toEqual(told.calls ?? [])
    expect(run.result?.text).toEqual(told.closing)
    expect(run).toMatchObject({
      sessionId: told.session,
      cwd: '/home/user/project',
      model: 'claude-sonnet-4.5',
      version: '1.0.102',
    })
    expect(run.usage).toEqual(told.usage && { ...told.usage, cacheWrite: 0 })
    const { session, exchanges } = await sessionTold(eventsOf(name))
    expect(session).toMatchObject({
      agent: 'copilot',
      conversationId: told.session,
      cwd: '/home/user/project',
    })
    expect(exchanges.map(({ prompt, interrupted }) => [prompt, interrupted])).toEqual([
      [told.prompt, told.end !== 'completed'],
    ])
  })
})

describe('Copilot', () => {
  test('every recording is expected', () => {
    const names = (folder: string, end: string) =>
      readdirSync(join(RECORDED, folder))
        .filter((file) => file.endsWith(end))
        .map((file) => file.replace(end, ''))
        .sort()
    expect(names('stream', '.jsonl')).toEqual(Object.keys(RUNS))
    expect(names('session-files', '.events.jsonl')).toEqual(Object.keys(RUNS))
  })

  test('a failed command tells its exit code before its output, without the marks of the program', async () => {
    const { toolCalls } = await readTranscript(eventsOf('02-mended'))
    expect(toolCalls.find(({ command }) => command === 'yarn-is-not-here test')?.output).toBe(
      'Exit code 127\n/bin/bash: line 1: yarn-is-not-here: command not found',
    )
  })

  test('the stream holds the output that is too long for the model', async () => {
    const { toolCalls } = await readTranscript(streamOf('06-large-output'))
    expect(toolCalls[0]?.output).toMatch(/^1\n2\n3\n[\s\S]*\n5999\n6000\n$/)
  })

  test('what hooks told the model is no output', async () => {
    const { exchanges } = await sessionTold(eventsOf('07-hooks'))
    expect(JSON.stringify(exchanges)).not.toContain('MARKER')
  })

  test('repeated requests are counted where a rate limit was the reason', async () => {
    expect((await readTranscript(streamOf('03c-429-forever'))).rateLimit.retries).toBe(5)
    expect((await readTranscript(streamOf('03b-500-forever'))).rateLimit.retries).toBe(0)
  })

  test('after a signal its result says success, and the run was interrupted all the same', async () => {
    const result = { type: 'result', sessionId: 'aa702008', exitCode: 0, usage: { premiumRequests: 0 } }
    const collector = new Collector()
    collector.push(readFileSync(streamOf('04a-sigterm')))
    collector.pushLine(JSON.stringify(result))
    expect(collector.finish()).toMatchObject({ ending: 'interrupted', sessionId: 'aa702008' })
  })
})

let count = 0
const event = (type: string, data: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type,
  data,
  id: `event-${++count}`,
  timestamp: '2026-11-16T17:14:52.150Z',
  parentId: null,
  ...more,
})

function collect(...lines: Record<string, unknown>[]): AgentRun {
  const collector = new Collector()
  for (const line of lines) collector.pushLine(JSON.stringify(line))
  return collector.finish()
}

const START = event('session.start', { sessionId: 's', copilotVersion: '1.0.102', context: { cwd: '/p' } })
const call = (id: string, toolName: string, input: unknown) =>
  event('tool.execution_start', { toolCallId: id, toolName, arguments: input })
const done = (id: string, data: Record<string, unknown>) =>
  event('tool.execution_complete', { toolCallId: id, success: true, ...data })

describe('what no recording of Copilot shows', () => {
  test('a patch of several files, and what remains of one that did not fit', () => {
    const patch = '*** Begin Patch\n*** Update File: a.js\n*** Delete File: b.js\n*** End Patch'
    const edits = [
      { path: '/p/a.js', kind: 'edit' },
      { path: '/p/b.js', kind: 'delete' },
    ]
    const run = collect(
      START,
      call('1', 'apply_patch', patch),
      done('1', { fileEdits: edits, result: { content: 'Done' } }),
      call('2', 'apply_patch', patch),
      done('2', {
        success: false,
        error: { message: 'No match found', code: 'failure' },
        fileEdits: edits.slice(0, 1),
      }),
    )
    expect(run.toolCalls.map(({ status, paths, changes }) => ({ status, paths, changes }))).toEqual([
      {
        status: 'ok',
        paths: ['a.js', 'b.js'],
        changes: [
          { path: '/p/a.js', action: 'modified' },
          { path: '/p/b.js', action: 'deleted' },
        ],
      },
      { status: 'failed', paths: ['a.js', 'b.js'], changes: [{ path: '/p/a.js', action: 'modified' }] },
    ])
  })

  test('a refused call is one, whatever words it is refused with', () => {
    const denied = { message: 'Permission denied and could not request permission from user', code: 'denied' }
    const run = collect(
      START,
      call('1', 'bash', { command: 'rm x' }),
      done('1', { success: false, error: denied }),
    )
    expect(run.toolCalls[0]).toMatchObject({
      status: 'failed',
      output: expect.stringMatching(/^This tool call was blocked: /),
    })
  })

  test('a command in the background ends when the program or a later call says so', () => {
    const started = { result: { content: '<command started in background with shellId: web>' } }
    const run = collect(
      START,
      call('1', 'bash', { command: 'npm start', mode: 'async', shellId: 'web' }),
      done('1', started),
      call('2', 'bash', { command: 'npm run build', initial_wait: 5 }),
      done('2', {
        result: { content: 'compiling\n<command with shellId: 4 is still running after 5 seconds>' },
      }),
      call('3', 'bash', { command: 'sleep 900', mode: 'async' }),
      done('3', { result: { content: '<command started in detached background with shellId: 7>' } }),
      event('system.notification', {
        content: '',
        kind: { type: 'shell_completed', shellId: 'web', exitCode: 0 },
      }),
      call('4', 'read_bash', { shellId: '4' }),
      done('4', { result: { content: 'broken\n<shellId: 4 completed with exit code 2>' } }),
    )
    expect(callsOf(run)).toEqual([
      '✓ bash npm start',
      '✗ bash npm run build',
      '… bash sleep 900',
      '✓ read_bash',
    ])
  })

  test('sub-agents are told apart by their id', () => {
    const run = collect(
      START,
      event('user.message', { content: 'Look around.' }),
      event('user.message', { content: 'You are a helper.' }, { agentId: 'a' }),
      event('assistant.message', { content: 'Helping.', model: 'gpt-5-mini' }, { agentId: 'a' }),
      event('assistant.message', { content: 'Done.', model: 'gpt-5' }),
    )
    expect([run.prompt, run.model, run.texts]).toEqual([
      'Look around.',
      'gpt-5',
      [
        { text: 'Helping.', subAgent: true },
        { text: 'Done.', subAgent: false },
      ],
    ])
  })

  test('what a sub-agent says is no answer to the person', async () => {
    const path = join(await temporaryFolder(), 'events.jsonl')
    const lines = [
      START,
      event('user.message', { content: 'Look around.' }),
      event('assistant.message', { content: 'Helping.' }, { agentId: 'a' }),
      event('assistant.message', { content: 'Done.' }),
    ]
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { exchanges } = await sessionTold(path)
    expect(exchanges.map(({ prompt, answer }) => [prompt, answer])).toEqual([['Look around.', 'Done.']])
  })

  test('older versions tell only at the end what was used', () => {
    const usage = { inputTokens: 100, outputTokens: 7, cacheReadTokens: 60, cacheWriteTokens: 10 }
    const run = collect(START, event('session.shutdown', { modelMetrics: { 'gpt-5': { usage } } }))
    expect(run.usage).toEqual({ input: 30, output: 7, cacheRead: 60, cacheWrite: 10 })
  })

  test('a session that was gone on with: the time between is nobody’s work, both ends count', async () => {
    const at = (time: string) => ({ timestamp: `2026-11-16T${time}:00.000Z` })
    const lines = [
      { ...START, ...at('10:00') },
      event('user.message', { content: 'First.' }, at('10:00')),
      event('assistant.message', { content: 'One.' }, at('10:01')),
      event('session.shutdown', {}, at('10:01')),
      event('session.resume', { context: { cwd: '/p' } }, at('12:00')),
      event('user.message', { content: 'Second.' }, at('12:00')),
      event('abort', { reason: 'user_initiated' }, at('12:01')),
      event('session.shutdown', {}, at('12:01')),
    ]
    expect(collect(...lines)).toMatchObject({ durationMs: 120_000, ending: 'interrupted', format: 'session' })
    const path = join(await temporaryFolder(), 'events.jsonl')
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { exchanges } = await sessionTold(path)
    expect(exchanges.map(({ prompt, interrupted }) => [prompt, interrupted])).toEqual([
      ['First.', false],
      ['Second.', true],
    ])
  })

  test('a message that the program wrote in the person’s place is no prompt', () => {
    const run = collect(START, event('user.message', { content: 'Skill text', source: 'skill-pdf' }))
    expect(run.prompt).toBeUndefined()
  })

  test('a limit of credits ended it', () => {
    const run = collect(
      START,
      event('abort', { reason: 'autopilot_credit_limit' }),
      event('session.shutdown', {}),
    )
    expect(endOf(run)).toBe('service_failed budget')
  })
})

describe('where Copilot keeps sessions', () => {
  test('all of them, and those of a project by the workspace or the first event', async () => {
    const place = join(await temporaryFolder(), 'session-state')
    const keep = (name: string, workspace?: string) => {
      const folder = join(place, RUNS[name]!.session)
      mkdirSync(folder, { recursive: true })
      cpSync(eventsOf(name), join(folder, 'events.jsonl'))
      if (workspace !== undefined) writeFileSync(join(folder, 'workspace.yaml'), workspace)
      return join(folder, 'events.jsonl')
    }
    const told = readFileSync(join(RECORDED, 'session-files', '01-first-go.workspace.yaml'), 'utf8')
    const first = keep('01-first-go', told)
    const second = keep('02-mended')
    const elsewhere = keep('00-hello', 'cwd: "/home/user/other project"\nname: null\n')
    const paths = async (files: ReturnType<typeof copilotSessions.find>) =>
      (await files).map(({ path }) => path).sort()
    expect(await paths(copilotSessions.find(place))).toEqual([first, second, elsewhere].sort())
    expect(await paths(copilotSessions.find(first))).toEqual([first])
    expect(await paths(copilotSessions.findOfProject(place, '/home/user/project'))).toEqual(
      [first, second].sort(),
    )
    expect(await paths(copilotSessions.findOfProject(place, '/home/user/other project'))).toEqual([elsewhere])
    expect((await sessionTold(first)).session?.title).toBe('The cart tests fail. Fix them.')
    expect(await copilotSessions.findOfProject(join(place, 'nowhere'), '/home/user/project')).toEqual([])
    await expect(copilotSessions.find(join(place, 'nowhere'))).rejects.toMatchObject({ code: 'not_found' })
  })
})
