import { describe, expect, test } from 'vitest'
import type { AgentRun } from '../../../src/transcripts/agent-run.ts'
import { Collector } from '../../../src/transcripts/collector.ts'

type Line = Record<string, unknown>

const line = (type: string, payload: Line): Line => ({ timestamp: '2026-11-16T17:00:00.000Z', type, payload })
const meta = (more: Line = {}) => line('session_meta', { id: 't-1', cwd: '/home/user/project', ...more })
const event = (type: string, more: Line = {}) => line('event_msg', { type, ...more })
const item = (type: string, more: Line) => event('item_completed', { item: { type, ...more } })
const called = (id: string, name: string, args: unknown) =>
  line('response_item', { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) })
const answered = (id: string, output: unknown) =>
  line('response_item', { type: 'function_call_output', call_id: id, output })

function read(...lines: Line[]): AgentRun {
  const collector = new Collector()
  for (const one of [meta(), ...lines]) collector.pushObject(one)
  return collector.finish()
}

const calls = (run: AgentRun) =>
  run.toolCalls.map(({ status, command, name, paths, output }) => ({
    status,
    what: command ?? `${name} ${paths.join(' ')}`.trim(),
    output,
  }))

describe('calls of older versions', () => {
  test.each([
    ['shell', { command: ['bash', '-lc', 'npm test'] }],
    ['shell_command', { command: 'npm test' }],
    ['exec_command', { cmd: 'npm test' }],
    ['container.exec', { command: ['npm', 'test'] }],
  ])('%s', (name, args) => {
    const json = JSON.stringify({ output: 'no\n', metadata: { exit_code: 2, duration_seconds: 0.1 } })
    const framed = 'Exit code: 2\nWall time: 0.1 seconds\nTotal output lines: 1\nOutput:\nno\n'
    for (const output of [json, framed])
      expect(calls(read(called('c', name, args), answered('c', output)))).toEqual([
        { status: 'failed', what: 'npm test', output: 'Exit code 2\nno\n' },
      ])
  })

  test('the built-in shell of the model', () => {
    const action = { type: 'exec', command: ['ls', 'my dir'], working_directory: '/tmp' }
    const run = read(
      line('response_item', { type: 'local_shell_call', call_id: 'c', action }),
      answered('c', 'a\n'),
    )
    expect(run.toolCalls).toMatchObject([{ status: 'ok', command: "ls 'my dir'", directory: '/tmp' }])
  })

  test('a patch in the shell is a patch, and what it changed is told by the patch', () => {
    const script =
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.js\n+a\n*** Update File: b.js\n*** Move to: c.js\n*** End Patch\nEOF\n"
    const run = read(
      called('c', 'shell', { command: ['bash', '-lc', script] }),
      answered('c', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.'),
    )
    expect(run.toolCalls).toMatchObject([
      {
        kind: 'edit',
        status: 'ok',
        paths: ['a.js', 'b.js', 'c.js'],
        changes: [
          { path: 'a.js', action: 'created' },
          { path: 'b.js', action: 'deleted' },
          { path: 'c.js', action: 'created' },
        ],
      },
    ])
  })

  test('what the program says in events counts more than what the model got to read', () => {
    const invocation = { server: 'files', tool: 'read_file', arguments: { path: 'a.js' } }
    const run = read(
      called('m', 'mcp__files__read_file', { path: 'a.js' }),
      event('mcp_tool_call_end', { call_id: 'm', invocation, result: { Err: 'gone' } }),
      answered('m', 'Wall time: 0.1 seconds\nOutput:\nfine'),
      called('x', 'shell', { command: ['npm', 'test'] }),
      event('exec_command_end', {
        call_id: 'x',
        command: ['npm', 'test'],
        exit_code: 1,
        stdout: 'out',
        stderr: 'err',
      }),
      answered('x', 'fine'),
      line('response_item', {
        type: 'custom_tool_call',
        call_id: 'p',
        name: 'apply_patch',
        input: '*** Update File: a.js',
      }),
      event('patch_apply_end', {
        call_id: 'p',
        success: true,
        changes: { '/home/user/project/a.js': { update: { move_path: '/home/user/project/b.js' } } },
      }),
    )
    expect(run.toolCalls).toMatchObject([
      { kind: 'read', paths: ['a.js'], status: 'failed', output: 'gone' },
      { status: 'failed', output: 'Exit code 1\nerr\nout' },
      {
        status: 'ok',
        changes: [{ action: 'deleted' }, { path: '/home/user/project/b.js', action: 'created' }],
      },
    ])
  })

  test('a command in the background is settled by the look that sees its end', () => {
    const run = read(
      called('s', 'exec_command', { cmd: 'npm start' }),
      answered('s', 'Chunk ID: a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\nup\r\n'),
      called('w', 'write_stdin', { session_id: 7, chars: '' }),
      answered('w', 'Chunk ID: b\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\ntick\n'),
      called('k', 'write_stdin', { session_id: 7, chars: '\u0003' }),
      answered('k', 'Chunk ID: c\nWall time: 1 seconds\nProcess exited with code 130\nOutput:\n^C'),
    )
    expect(calls(run)).toEqual([
      { status: 'failed', what: 'npm start', output: 'Exit code 130\nup\ntick\n^C' },
    ])
  })

  test.each([
    'unsupported call: nothing',
    'failed to parse function arguments: missing field',
    'exec_command failed: sandbox',
  ])('%s', (words) => {
    expect(calls(read(called('c', 'nothing', {}), answered('c', words)))).toEqual([
      { status: 'failed', what: 'nothing', output: words },
    ])
  })
})

describe('code mode', () => {
  const script = (id: string, input: string) =>
    line('response_item', { type: 'custom_tool_call', call_id: id, name: 'exec', input })
  const output = (id: string, ...texts: string[]) =>
    line('response_item', {
      type: 'custom_tool_call_output',
      call_id: id,
      output: texts.map((text) => ({ type: 'input_text', text })),
    })

  test('a patch that failed in a script', () => {
    const run = read(
      script(
        'c',
        'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/cart.js\\n-x\\n+y\\n*** End Patch")',
      ),
      output(
        'c',
        'Script failed\nWall time 0.0 seconds\nOutput:\n',
        'Script error:\napply_patch verification failed: no such line',
      ),
    )
    expect(calls(run)).toEqual([
      {
        status: 'failed',
        what: 'apply_patch src/cart.js',
        output: 'apply_patch verification failed: no such line',
      },
    ])
  })

  test('a script with a mistake of its own, and one that was under way at the end', () => {
    const run = read(
      script('a', 'nothing()'),
      output(
        'a',
        'Script failed\nWall time 0.0 seconds\nOutput:\nScript error: ReferenceError: nothing is not defined',
      ),
      script('b', 'await tools.exec_command({ cmd: "sleep 60" })'),
    )
    expect(calls(run)).toMatchObject([
      { status: 'failed', what: 'exec', output: 'ReferenceError: nothing is not defined' },
      { status: 'unfinished', what: 'exec' },
    ])
  })
})

describe('turns', () => {
  const started = event('task_started')
  const completed = (more: Line = {}) => event('task_complete', { last_agent_message: null, ...more })

  test('older versions tell a failure in an event before the end', () => {
    const run = read(
      started,
      event('error', { message: 'boom', codex_error_info: 'unauthorized' }),
      completed(),
    )
    expect(run).toMatchObject({ ending: 'service_failed', service: { cause: 'key', words: 'boom' } })
  })

  test('a failure that the agent got over is none', () => {
    const run = read(
      started,
      event('stream_error', { message: 'stream disconnected' }),
      event('error', { message: 'boom' }),
      event('agent_message', { message: 'There it is.' }),
      completed(),
    )
    expect(run).toMatchObject({ ending: 'completed', result: { text: 'There it is.' } })
  })

  test('of a failure of long ago only the missing answer is left', () => {
    expect(read(started, completed()).ending).toBe('failed')
  })

  test('a quota of today is renewed at a time of today', () => {
    const message = 'You’ve hit your usage limit. Try again at 11:59 PM.'
    const run = read(started, completed({ error: { message, codex_error_info: 'usage_limit_exceeded' } }))
    const resetsAt = new Date(run.rateLimit.resetsAt!)
    expect([resetsAt.getHours(), resetsAt.getMinutes()]).toEqual([23, 59])
  })

  test('what a sub-agent inherited from its parent is not its own', () => {
    const collector = new Collector()
    const count = (input_tokens: number) =>
      event('token_count', { info: { total_token_usage: { input_tokens } } })
    const lines = [
      meta({ parent_thread_id: 't-0', subagent_history_start_ordinal: 3 }),
      called('old', 'exec_command', { cmd: 'ls' }),
      count(100),
      called('own', 'exec_command', { cmd: 'pwd' }),
      count(130),
    ]
    for (const [ordinal, one] of lines.entries()) collector.pushObject({ ...one, ordinal })
    const run = collector.finish()
    expect(run.toolCalls.map(({ command }) => command)).toEqual(['pwd'])
    expect(run.usage?.input).toBe(30)
  })

  test('a turn that was begun after the end of another was cut', () => {
    const run = read(
      started,
      event('agent_message', { message: 'Done.' }),
      completed(),
      started,
      called('c', 'exec_command', { cmd: 'ls' }),
    )
    expect(run.ending).toBe('cut')
  })

  test('calls that the history repeats after it was compacted are told once', () => {
    const again = called('c', 'exec_command', { cmd: 'ls' })
    const run = read(
      again,
      answered('c', 'a'),
      line('compacted', { message: '', replacement_history: [] }),
      again,
      answered('c', 'a'),
    )
    expect(run.toolCalls).toHaveLength(1)
  })

  test('an editor’s surroundings are not what the person said', () => {
    const message =
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nMend it.\n'
    expect(read(event('user_message', { message })).prompt).toBe('Mend it.\n')
  })

  test('a thread that goes on from another is itself, in its own words', () => {
    const run = read(
      meta({ id: 't-0', cwd: '/elsewhere' }),
      item('UserMessage', { id: 'u', content: [{ type: 'text', text: 'Hi' }] }),
      event('user_message', { message: 'Hi again' }),
    )
    expect(run).toMatchObject({ sessionId: 't-1', cwd: '/home/user/project', prompt: 'Hi' })
  })
})

describe('what was used', () => {
  const count = (input_tokens: number, output_tokens: number, cached_input_tokens = 0) =>
    event('token_count', {
      info: { total_token_usage: { input_tokens, output_tokens, cached_input_tokens } },
    })

  test('running totals that are told twice count once, and a full window sets them back', () => {
    const run = read(count(100, 10, 40), count(100, 10, 40), count(250, 30, 90), count(0, 0), count(50, 5))
    expect(run.usage).toEqual({ input: 210, output: 35, cacheRead: 90, cacheWrite: 0 })
  })

  test('when a quota that is used up is renewed', () => {
    const window = (used_percent: number, resets_at: number) => ({
      used_percent,
      window_minutes: 300,
      resets_at,
    })
    const run = read(
      event('token_count', {
        info: null,
        rate_limits: { primary: window(100, 1_800_000_000), secondary: window(20, 1_900_000_000) },
      }),
    )
    expect(run.rateLimit.resetsAt).toBe(new Date(1_800_000_000_000).toISOString())
  })
})
