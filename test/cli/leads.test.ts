import { expect, it } from 'vitest'
import { resumeCommand } from '../../src/cli/show/leads.ts'
import type { Opened } from '../../src/lookup/open.ts'

const SESSION = '01a1e553-f500-7820-8d09-ce15a690c8cf'
const iteration = (agent: string | undefined, sessionId: string) =>
  ({ kind: 'iteration', record: { agent, sessionId } }) as unknown as Opened
const conversation = (source: string, id: string, project: string) =>
  ({ kind: 'conversation', conversation: { source, id, project } }) as unknown as Opened

it.each([
  [undefined, SESSION, `claude --resume ${SESSION}`],
  ['claude-code', SESSION, `claude --resume ${SESSION}`],
  ['codex', SESSION, `codex resume ${SESSION}`],
  ['gemini', SESSION, `gemini --resume ${SESSION}`],
  ['opencode', 'ses_e1aa16a48ffeX4vJ1tYv9lZvW2', 'opencode --session ses_e1aa16a48ffeX4vJ1tYv9lZvW2'],
  ['qwen', SESSION, `qwen --resume ${SESSION}`],
  ['copilot', SESSION, `copilot --resume=${SESSION}`],
  ['pi', SESSION, `pi --session ${SESSION}`],
  // Whatever a shell could read as more is no session.
  ['codex', `${SESSION}; rm -rf ~`, undefined],
  ['codex', '--last', undefined],
  ['my-agent', SESSION, undefined],
])('a run of %s goes on with its own program', (agent, session, command) => {
  expect(resumeCommand(iteration(agent, session), '/home/dev/shop')).toBe(command)
})

it('goes to the folder first where the conversation was elsewhere', () => {
  const elsewhere = conversation('gemini', SESSION, '/home/dev/other shop')
  expect(resumeCommand(elsewhere, '/home/dev/shop')).toBe(
    `cd '/home/dev/other shop' && gemini --resume ${SESSION}`,
  )
  expect(resumeCommand(conversation('jsonl', SESSION, '/home/dev/shop'), '/home/dev/shop')).toBeUndefined()
})
