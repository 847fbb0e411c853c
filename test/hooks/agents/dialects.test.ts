import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { heard } from '../../../src/hooks/heard.ts'
import { filesOfCall, type HookInput } from '../../../src/hooks/input.ts'
import { temporaryFolder } from '../../support/temporary.ts'

interface Recorded {
  event: string
  stdin: Record<string, unknown>
}

/** What the real program told a hook, in the order in which it did. */
function recorded(agent: string): Recorded[] {
  const path = new URL(`../../fixtures/agents/${agent}/hooks/07-hooks.jsonl`, import.meta.url)
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function told(agent: string, { event, stdin }: Recorded): Promise<HookInput | undefined> {
  return (await heard({ text: JSON.stringify(stdin), event, agent }, {})).input
}

/** One line of what was understood: the event in our words, with the command, the files, or how it failed. */
function shown(input: HookInput | undefined): string {
  if (!input) return '-'
  const { event, tool, toolInput, error, prompt, source } = input
  const about = tool === 'Bash' ? toolInput['command'] : tool && filesOfCall(input).join(' ')
  const failed = error === undefined ? '' : ` ✗ ${error.split('\n', 1)[0]}`
  return [event, tool, about, prompt ?? source].filter((one) => one !== undefined).join(' · ') + failed
}

/** Read off the recordings; what we are told and have no use for is a dash. */
const EXPECTED: Record<string, string[]> = {
  codex: [
    'SessionStart · startup',
    'UserPromptSubmit · The cart tests fail. Fix them.',
    'PreToolUse · Bash · npm test',
    'PreToolUse · Bash · cat src/cart.js',
    // How a command came out stands in the session's file, which is not there.
    ...['-', '-'],
    'PreToolUse · Edit · src/cart.js',
    '-',
    'PreToolUse · Edit · src/cart.js',
    'Stop',
    'SessionEnd',
  ],
  gemini: [
    'SessionStart · startup',
    'UserPromptSubmit · The cart tests fail. Fix them.',
    'PreToolUse · Bash · npm test',
    // What would be said before a tool reaches nobody.
    '-',
    'PostToolUse · Read · /home/user/project/src/cart.js',
    'PostToolUseFailure · Bash · npm test ✗ Exit code 1',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    'Stop · The cart tests fail. Fix them.',
    'SessionEnd',
  ],
  qwen: [
    'SessionStart · startup',
    'UserPromptSubmit · The cart tests fail. Fix them.',
    '-',
    'PostToolUse · Read · /home/user/project/src/cart.js',
    'PreToolUse · Bash · npm test',
    'PostToolUseFailure · Bash · npm test ✗ Exit code 1',
    // Asked again before each call of the model, without the person's words.
    '-',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    '-',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    '-',
    'Stop',
  ],
  copilot: [
    'SessionStart · new',
    'UserPromptSubmit · The cart tests fail. Fix them.',
    'PreToolUse · Read · /home/user/project/src/cart.js',
    'PreToolUse · Bash · npm test',
    '-',
    'PostToolUseFailure · Bash · npm test ✗ Exit code 1',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    'PreToolUse · Edit · /home/user/project/src/cart.js',
    '-',
    'Stop',
    'SessionEnd',
  ],
}

describe.each(Object.keys(EXPECTED))('what %s tells its hooks', (agent) => {
  it('is put into our words', async () => {
    const inputs = await Promise.all(recorded(agent).map((one) => told(agent, one)))
    expect(inputs.map(shown)).toEqual(EXPECTED[agent])
    for (const input of inputs.filter((one) => one !== undefined)) {
      expect(input).toMatchObject({ agent, cwd: '/home/user/project' })
      expect(input.transcript).toMatch(/\.jsonl$/)
    }
  })
})

it('tells a failure of Codex, and what a command only read, by the end of the session file', async () => {
  const root = await temporaryFolder()
  const rollout = join(root, 'rollout.jsonl')
  const item = (id: string, exit_code: number, parsed_cmd: object[]) =>
    JSON.stringify({
      type: 'event_msg',
      payload: { type: 'item_completed', item: { type: 'CommandExecution', id, exit_code, parsed_cmd } },
    })
  const read = [{ type: 'read', cmd: 'cat a', path: 'src/a.js' }]
  const lines = [
    item('c1', 3, [{ type: 'unknown' }]),
    item('c2', 0, read),
    item('c3', 0, [...read, { type: 'unknown' }]),
  ]
  writeFileSync(rollout, `${'x'.repeat(500_000)}\n${lines.join('\n')}\n`)
  const after = (tool_use_id: string, transcript_path = rollout) =>
    told('codex', {
      event: 'PostToolUse',
      stdin: {
        ...{ session_id: 's', cwd: root, hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id },
        ...{ transcript_path, tool_input: { command: 'cat src/a.js' }, tool_response: 'Error: no' },
      },
    })
  expect(await after('c1')).toMatchObject({ event: 'PostToolUseFailure', error: 'Exit code 3\nError: no' })
  expect(shown(await after('c2'))).toBe('PostToolUse · Read · src/a.js')
  expect(await after('c3')).toBeUndefined()
  expect(await after('unknown')).toBeUndefined()
  mkdirSync(join(root, 'folder'))
  expect(await after('c1', join(root, 'folder'))).toBeUndefined()
  expect(await after('c1', join(root, 'none'))).toBeUndefined()
})

/** Those that our own scripts tell, in our own words but for the tools. */
const OWN: [agent: string, event: string, stdin: object, expected: string][] = [
  ['opencode', 'UserPromptSubmit', { prompt: 'Fix it' }, 'UserPromptSubmit · Fix it'],
  [
    'opencode',
    'PreToolUse',
    { tool_name: 'bash', tool_input: { command: 'npm test' } },
    'PreToolUse · Bash · npm test',
  ],
  ['opencode', 'PreToolUse', { tool_name: 'read', tool_input: { filePath: '/p/a' } }, '-'],
  [
    'opencode',
    'PostToolUse',
    { tool_name: 'read', tool_input: { filePath: '/p/a' } },
    'PostToolUse · Read · /p/a',
  ],
  [
    'opencode',
    'PreToolUse',
    {
      tool_name: 'apply_patch',
      tool_input: { patchText: '*** Add File: a.js\n+x\n*** Update File: b.js\n*** Move to: c.js' },
    },
    'PreToolUse · Edit · a.js b.js c.js',
  ],
  [
    'opencode',
    'PostToolUse',
    { tool_name: 'bash', tool_input: { command: 'x' }, exit_code: 127, output: 'no x' },
    'PostToolUseFailure · Bash · x ✗ Exit code 127',
  ],
  ['opencode', 'PostToolUse', { tool_name: 'bash', tool_input: { command: 'x' }, exit_code: 0 }, '-'],
  ['pi', 'SessionStart', { source: 'startup' }, 'SessionStart · startup'],
  ['pi', 'PreToolUse', { tool_name: 'edit', tool_input: { path: 'a.js' } }, 'PreToolUse · Edit · a.js'],
  [
    'pi',
    'PostToolUse',
    {
      tool_name: 'bash',
      tool_input: { command: 'x' },
      failed: true,
      output: 'no\n\nCommand exited with code 2',
    },
    'PostToolUseFailure · Bash · x ✗ Exit code 2',
  ],
  [
    'pi',
    'PostToolUse',
    {
      tool_name: 'bash',
      tool_input: { command: 'x' },
      failed: true,
      output: 'Command timed out after 1 seconds',
    },
    '-',
  ],
  [
    'copilot',
    'preToolUse',
    { toolName: 'apply_patch', toolArgs: '*** Update File: a.js\n@@' },
    'PreToolUse · Edit · a.js',
  ],
  ['copilot', 'preToolUse', { toolName: 'bash', toolArgs: '{"command":"ls"}' }, 'PreToolUse · Bash · ls'],
]

it.each(OWN)('%s tells of %s: %j', async (agent, event, more, expected) => {
  const stdin = { session_id: 'ses_1', sessionId: 'ses_1', cwd: '/p', ...more }
  expect(shown(await told(agent, { event, stdin }))).toBe(expected)
})

describe('an answer', () => {
  const answer = async (agent: string, called: string, saying: { event: string; stops?: boolean }) => {
    const { answer: form } = await heard({ text: '{}', event: called, agent }, {})
    return form({ stops: false, ...saying, text: 'x' })
  }
  it('takes the form that each program reads', async () => {
    const context = (event: string) => ({
      hookSpecificOutput: { hookEventName: event, additionalContext: 'x' },
    })
    expect(await answer('codex', 'PostToolUse', { event: 'PostToolUseFailure' })).toEqual(
      context('PostToolUse'),
    )
    expect(await answer('gemini', 'BeforeAgent', { event: 'UserPromptSubmit' })).toEqual(
      context('BeforeAgent'),
    )
    expect(await answer('gemini', 'AfterTool', { event: 'PostToolUseFailure' })).toEqual(context('AfterTool'))
    expect(await answer('qwen', 'PostToolUseFailure', { event: 'PostToolUseFailure' })).toEqual(
      context('PostToolUseFailure'),
    )
    expect(await answer('copilot', 'sessionStart', { event: 'SessionStart' })).toEqual({
      additionalContext: 'x',
    })
    const stopped = { event: 'PreToolUse', stops: true }
    const denied = { permissionDecision: 'deny', permissionDecisionReason: 'x' }
    expect(await answer('gemini', 'BeforeTool', stopped)).toEqual({ decision: 'deny', reason: 'x' })
    expect(await answer('copilot', 'preToolUse', stopped)).toEqual(denied)
    for (const agent of ['codex', 'qwen', 'opencode', 'pi'])
      expect(await answer(agent, 'PreToolUse', stopped)).toEqual({
        hookSpecificOutput: { hookEventName: 'PreToolUse', ...denied },
      })
  })

  it('is kept back where the program would lose it', async () => {
    const hears = async (agent: string, event: string) =>
      (await heard({ text: '{}', event, agent }, {})).hears(event)
    for (const agent of ['gemini', 'qwen', 'opencode', 'pi'])
      expect(await hears(agent, 'PreToolUse'), agent).toBe(false)
    for (const agent of ['opencode', 'pi']) expect(await hears(agent, 'SessionStart'), agent).toBe(false)
    for (const agent of ['codex', 'copilot']) expect(await hears(agent, 'PreToolUse'), agent).toBe(true)
  })
})

it('answers Copilot, which runs the hooks of Claude Code too, so that it understands, and of steps only once', async () => {
  const env = { COPILOT_PROJECT_DIR: '/p' }
  const said = (fields: object) =>
    heard({ text: JSON.stringify({ session_id: 's', cwd: '/p', ...fields }) }, env)
  const start = await said({ hook_event_name: 'SessionStart' })
  expect(start.input).toMatchObject({ event: 'SessionStart', agent: 'copilot' })
  expect(start.answer({ event: 'SessionStart', text: 'x', stops: false })).toMatchObject({
    additionalContext: 'x',
    hookSpecificOutput: { additionalContext: 'x' },
  })
  const step = await said({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
  expect(step.input).toBeUndefined()
})
