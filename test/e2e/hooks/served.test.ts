import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { READ, TEST_FAILED, world } from '../../hooks/support.ts'
import { callTool } from '../../mcp/support.ts'
import { builtCommand } from '../../support/built-command.ts'

it.each([
  ['as it used to', {}],
  ['in its newer form', { versionNegotiation: { mode: 'auto' } }],
] as const)(
  'a server answers the hooks of a session that speaks the protocol %s',
  { timeout: 60_000 },
  async (_, how) => {
    const { project, home } = await world([TEST_FAILED])
    const connect = async (name: string) => {
      const client = new Client({ name, version: '2.1.325' }, how)
      const env = {
        PATH: process.env['PATH']!,
        HOME: home,
        RALPH_HOME: home,
        RALPH_HOOK_DEADLINE_MS: '20000',
      }
      const args = [await builtCommand(), 'mcp', `--project=${project}`]
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
      )
      onTestFinished(() => client.close())
      return client
    }
    const claude = await connect('claude-code')
    // No model is offered it.
    expect((await claude.listTools()).tools.map(({ name }) => name)).not.toContain('hook')
    const { tool_name, tool_input } = READ(join(project, 'src/pay.ts'))
    const fields = { hook_event_name: 'PreToolUse', session_id: 's', cwd: project, tool_name, ...tool_input }
    const { text } = await callTool(claude, 'hook', fields)
    expect(JSON.parse(text).hookSpecificOutput.additionalContext).toContain('expected 100 to be 120')
    expect((await callTool(claude, 'hook', fields)).text).toBe('')
    const other = await connect('somebody-else')
    await expect(callTool(other, 'hook', { ...fields, session_id: 't' })).rejects.toThrow('hook')
  },
)
