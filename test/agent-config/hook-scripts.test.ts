import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { opencodePlugin, piExtension } from '../../src/agent-config/programs/scripts.ts'
import { temporaryFolder } from '../support/temporary.ts'

type Handlers = Record<string, (...args: unknown[]) => Promise<unknown>>

/** Stands for ralph: answers by the event, and with what it was told. */
const STAND_IN = `let text = ''
process.stdin.on('data', (chunk) => (text += chunk))
process.stdin.on('end', () => {
  const [, event, , agent] = process.argv.slice(2)
  const told = JSON.parse(text)
  if (told.tool_input?.command === 'nonsense') return process.stdout.write('no JSON')
  const answer = event === 'PreToolUse'
    ? { permissionDecision: 'deny', permissionDecisionReason: 'stopped ' + agent }
    : { additionalContext: event + ' ' + agent + ' ' + told.session_id }
  process.stdout.write(JSON.stringify({ hookSpecificOutput: answer }))
})
`

async function load(text: (start: { words: string[] }) => string, words?: string[]) {
  const root = await temporaryFolder()
  const program = join(root, 'stand-in.cjs')
  writeFileSync(program, STAND_IN)
  chmodSync(program, 0o755)
  const file = join(root, 'script.mjs')
  writeFileSync(file, text({ words: words ?? [process.execPath, program] }))
  return (await import(pathToFileURL(file).href)).default
}

async function opencode(words?: string[]): Promise<Handlers> {
  return (await load(opencodePlugin, words))({ directory: '/p' })
}

async function pi(words?: string[]): Promise<Handlers> {
  const handlers: Handlers = {}
  const extension = await load(piExtension, words)
  extension({
    on: (event: string, handler: Handlers[string]) => {
      handlers[event] = handler
    },
  })
  return handlers
}

const ctx = { cwd: '/p', sessionManager: { getSessionId: () => 's1', getSessionFile: () => '/s1.jsonl' } }

describe('the plugin of opencode', () => {
  it('tells the model in the system prompt, with what was read, and holds a call back', async () => {
    const hooks = await opencode()
    const message = { model: { modelID: 'big' } }
    await hooks['chat.message']!({ sessionID: 's1' }, { message, parts: [{ type: 'text', text: 'Fix it' }] })
    const system: string[] = []
    const transform = (id: string) =>
      hooks['experimental.chat.system.transform']!({ sessionID: 's1', model: { id } }, { system })
    await transform('small')
    expect(system).toEqual([])
    await transform('big')
    expect(system).toEqual(['UserPromptSubmit opencode s1'])
    const result = { output: 'text', metadata: {} }
    await hooks['tool.execute.after']!({ tool: 'read', sessionID: 's1', args: {} }, result)
    expect(result.output).toBe('text\n\nPostToolUse opencode s1')
    const call = hooks['tool.execute.before']!({ tool: 'bash', sessionID: 's1' }, { args: { command: 'x' } })
    await expect(call).rejects.toThrow('stopped opencode')
  })

  it('does nothing where ralph is missing or answers nonsense', async () => {
    for (const hooks of [await opencode(['/nowhere/node', '/nowhere/ralph.js']), await opencode()]) {
      const call = hooks['tool.execute.before']!(
        { tool: 'bash', sessionID: 's1' },
        { args: { command: 'nonsense' } },
      )
      await expect(call).resolves.toBeUndefined()
    }
  })
})

describe('the extension of pi', () => {
  it('tells the model before it starts and with what was read, and holds a call back', async () => {
    const on = await pi()
    expect(await on['before_agent_start']!({ prompt: 'Fix it' }, ctx)).toEqual({
      message: { customType: 'ralph-memory', content: 'UserPromptSubmit pi s1', display: false },
    })
    const content = [{ type: 'text', text: 'text' }]
    expect(await on['tool_result']!({ toolName: 'read', input: {}, content, isError: false }, ctx)).toEqual({
      content: [...content, { type: 'text', text: 'PostToolUse pi s1' }],
    })
    expect(await on['tool_call']!({ toolName: 'bash', input: { command: 'x' } }, ctx)).toEqual({
      block: true,
      reason: 'stopped pi',
    })
    expect(await on['tool_call']!({ toolName: 'ls', input: {} }, ctx)).toBeUndefined()
  })

  it('does nothing where ralph is missing or answers nonsense', async () => {
    for (const on of [await pi(['/nowhere/node', '/nowhere/ralph.js']), await pi()]) {
      const call = on['tool_call']!({ toolName: 'bash', input: { command: 'nonsense' } }, ctx)
      await expect(call).resolves.toBeUndefined()
    }
  })
})
