import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { HOOKED_AGENTS } from '../../src/agent-config/hooks.ts'
import { answerTo } from '../../src/hooks/answer.ts'
import { heard } from '../../src/hooks/heard.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/temporary.ts'

const EVENTS: Record<string, string[]> = {
  codex: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'],
  gemini: ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'],
  qwen: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
  copilot: ['sessionStart', 'userPromptSubmitted', 'preToolUse', 'postToolUse', 'agentStop'],
  opencode: ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'],
  pi: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'],
}
const FIELDS = [
  ...[
    'session_id',
    'sessionId',
    'cwd',
    'transcript_path',
    'transcriptPath',
    'hook_event_name',
    'prompt',
    'prompt_id',
  ],
  ...[
    'tool_name',
    'toolName',
    'tool_input',
    'toolArgs',
    'tool_response',
    'toolResult',
    'tool_use_id',
    'error',
    'source',
  ],
  ...['exit_code', 'failed', 'output', '__proto__', 'constructor'],
]
const TOOLS = [
  'Bash',
  'apply_patch',
  'run_shell_command',
  'read_file',
  'replace',
  'bash',
  'view',
  'read',
  'edit',
  'toString',
]

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    ...TOOLS,
    '',
    '../../../etc',
    '/etc/passwd',
    's\u0000',
    '*** Add File: ../../x\n',
    '{"command":7}',
  ),
  fc.constantFrom(
    { command: 'x'.repeat(50_000) },
    { path: '../../x' },
    { llmContent: '\nExit Code: 1' },
    { command: {} },
  ),
)
const input = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: FIELDS.length })

/** A project with memory, and what a hook of it may be told of. */
async function world() {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const home = join(root, 'home')
  mkdirSync(join(project, '.ralph', 'db', 'memory'), { recursive: true })
  mkdirSync(home)
  return { root, project, home, env: { RALPH_HOME: home, HOME: home } }
}

const caller = { parent: process.pid, remainingMs: () => 10_000 }

it.each(HOOKED_AGENTS)(
  '%s may tell its hooks anything: nothing of it breaks them or becomes a path',
  async (agent) => {
    const { root, project, env } = await world()
    const told = fc.asyncProperty(fc.constantFrom(...EVENTS[agent]!), input, async (event, fields) => {
      const text = JSON.stringify({ session_id: 's', sessionId: 's', cwd: project, ...fields })
      const understood = await heard({ text, event, agent }, env)
      // What starts something in the background is looked at by itself.
      if (/^(?:Pre|Post)ToolUse/.test(understood.input?.event ?? ''))
        await answerTo({ ...understood, input: { ...understood.input!, cwd: project } }, { caller, env })
      const { transcript, toolInput } = understood.input ?? {}
      for (const one of [transcript, toolInput?.['command']])
        if (typeof one === 'string') expect(one.length).toBeLessThan(20_000)
    })
    await fc.assert(told, { numRuns: 60 })
    expect(readdirSync(root).sort()).toEqual(['home', 'shop'])
    expect(readdirSync(project)).toEqual(['.ralph'])
  },
)

it('has no place for a session whose id is a path', async () => {
  const { project, env } = await world()
  for (const [agent, event] of [
    ['copilot', 'sessionStart'],
    ['opencode', 'UserPromptSubmit'],
  ] as const) {
    const text = JSON.stringify({ session_id: '../../x', sessionId: '../../x', cwd: project })
    const { input: understood } = await heard({ text, event, agent }, env)
    expect(understood?.transcript).toBeUndefined()
  }
})

it('does not answer for an agent that it does not know', async () => {
  for (const agent of ['cursor', 'toString', '__proto__', '../codex', '']) {
    const { input: understood } = await heard(
      { text: '{"session_id":"s","cwd":"/"}', event: 'SessionStart', agent },
      {},
    )
    expect(understood).toBeUndefined()
  }
})

it('keeps what a program tells of a session out of the project', async () => {
  const { project, home, env } = await world()
  const secret = join(project, 'secret.txt')
  writeFileSync(secret, 'mine')
  const patch = `*** Begin Patch\n*** Update File: ${secret}\n*** Update File: /etc/passwd\n*** End Patch`
  const stdin = {
    session_id: '../../../evil',
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_name: 'apply_patch',
    tool_input: { command: patch },
  }
  await answerTo(await heard({ text: JSON.stringify(stdin), event: 'PreToolUse', agent: 'codex' }, env), {
    caller,
    env,
  })
  expect(existsSync(join(project, '..', 'evil'))).toBe(false)
  const touched = readdirSync(home, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('touched'))
  expect(touched).toHaveLength(1)
  expect(readFileSync(join(home, touched[0]!), 'utf8')).toBe('secret.txt\n')
  expect(readFileSync(secret, 'utf8')).toBe('mine')
})
