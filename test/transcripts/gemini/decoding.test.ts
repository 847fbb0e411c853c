import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/text/json.ts'
import { Collector } from '../../../src/transcripts/collector.ts'
import { readExchanges } from '../../../src/transcripts/read-exchanges.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { calls, ending } from '../told.ts'
import { exchangesOf } from '../told-exchanges.ts'

const AT = '2026-11-16T17:00:00.000Z'

function collect(...lines: JsonObject[]) {
  const collector = new Collector()
  for (const line of lines) collector.pushObject(line)
  return collector.finish()
}

const init = { type: 'init', timestamp: AT, session_id: 's', model: 'auto' }
const says = (content: string) => ({
  type: 'message',
  timestamp: AT,
  role: 'assistant',
  content,
  delta: true,
})
const result = (fields: JsonObject) => ({ type: 'result', timestamp: AT, stats: {}, ...fields })

describe('the stream', () => {
  test('each command begins where the run was started, if it is not told where', () => {
    const command = (id: string, parameters: JsonObject) => ({
      ...{ type: 'tool_use', timestamp: AT, tool_name: 'run_shell_command', tool_id: id },
      parameters: { command: 'npm test', ...parameters },
    })
    const run = collect(
      ...[init, command('1', {}), command('2', { dir_path: 'sub' }), command('3', { directory: '/p/sub' })],
    )
    expect(run.toolCalls.map(({ directory }) => directory)).toEqual(['.', 'sub', '/p/sub'])
  })

  test('a warning is not the end, and is kept with it', () => {
    const warning = { type: 'error', timestamp: AT, severity: 'warning', message: 'Loop detected' }
    const run = collect(init, says('Again.'), warning, result({ status: 'success' }))
    expect([ending(run), run.result?.errors]).toEqual(['completed', ['Loop detected']])
  })

  test('where the program chose the model, the one that did most is named', () => {
    const models = { 'gemini-flash': { total_tokens: 5 }, 'gemini-pro': { total_tokens: 90 } }
    const run = collect(init, result({ status: 'success', stats: { models } }))
    expect(run.model).toBe('gemini-pro')
  })

  test.each([
    ['FatalTurnLimitedError', 'service_failed turns'],
    ['FatalAuthenticationError', 'service_failed key'],
    ['FatalCancellationError', 'interrupted'],
    ['FatalSandboxError', 'failed'],
  ])('%s: %s', (type, expected) => {
    const run = collect(init, result({ status: 'error', error: { type, message: 'No.' } }))
    expect([ending(run), run.result?.text]).toEqual([expected, 'No.'])
  })

  test('messages alone are nobody’s', () => {
    const chat = collect({ type: 'message', timestamp: AT, role: 'user', content: 'Hello' })
    expect([chat.agent, chat.format, chat.lines.unknown]).toEqual([undefined, undefined, 1])
  })

  test('text that was cut in the middle of its pieces is kept', () => {
    const run = collect(init, says('I will '), says('look'))
    expect([ending(run), run.texts[0]?.text]).toEqual(['cut', 'I will look'])
  })

  test('a line with separators that are no line ends is one line', () => {
    const collector = new Collector()
    collector.push(`${JSON.stringify(init)}\n${JSON.stringify(says('one\u2028two\u2029three'))}\n`)
    expect(collector.finish().texts[0]?.text).toBe('one\u2028two\u2029three')
  })
})

const head = { sessionId: 's1', projectHash: 'h', startTime: AT, lastUpdated: AT, kind: 'main' }
const user = (id: string, text: string) => ({ id, timestamp: AT, type: 'user', content: [{ text }] })
const answer = (id: string, content: string, toolCalls?: JsonObject[]) => ({
  ...{ id, timestamp: AT, type: 'gemini', content, model: 'gemini-pro' },
  ...(toolCalls && { toolCalls }),
})
const call = (id: string, status: string, output: string, resultDisplay: unknown = '') => ({
  ...{ id, name: 'run_shell_command', args: { command: `echo ${id}` }, status, timestamp: AT, resultDisplay },
  result: [{ functionResponse: { id, response: { output } } }],
})

describe('the session file', () => {
  test('a message that comes again has more to tell, and nothing twice', () => {
    const first = call('a', 'success', 'Output: a')
    const second = call('b', 'success', 'Output: b\nExit Code: 2')
    const run = collect(
      head,
      answer('m', 'Now.'),
      answer('m', 'Now.', [{ ...first, status: 'executing', result: undefined }]),
      answer('m', 'Now.', [first]),
      answer('m', 'Now.', [first, second]),
    )
    expect(run.texts.map(({ text }) => text)).toEqual(['Now.'])
    expect(calls(run)).toEqual(['ok run_shell_command echo a', 'failed run_shell_command echo b'])
  })

  test('a whole output is taken from what was shown where the model got both ends', () => {
    const told =
      'Output too large. Showing first 8 and last 8 characters.\n<untrusted_context>\nOutput: a…z\nExit Code: 3\n</untrusted_context>'
    const run = collect(head, answer('m', '', [call('a', 'success', told, 'a to z')]))
    expect(run.toolCalls).toMatchObject([{ status: 'failed', output: 'Exit code 3\na to z' }])
  })

  test('what is put in the place of a long history is nobody’s words', () => {
    const summary = user('x', '<state_snapshot>…</state_snapshot>')
    const run = collect(head, user('u', 'Go on.'), answer('m', 'Yes.'), { $set: { messages: [summary] } })
    expect([run.prompt, run.texts.length]).toEqual(['Go on.', 1])
  })

  test('a stretch that was taken back has happened all the same', () => {
    const run = collect(head, user('u', 'Go.'), answer('m', 'Yes.'), { $rewindTo: 'u' })
    expect([run.texts.length, run.lines.unknown]).toEqual([1, 0])
  })

  test('what was put in is taken out wherever it stands, what only looks like it stays', () => {
    const typed = '<hook_context>a</hook_context> Why <system-reminder> <hook_context>b</hook_context>here?'
    expect(collect(head, user('u', typed)).prompt).toBe('Why <system-reminder> here?')
  })

  test('commands for the program are no prompts, its notices no answers', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'session-x.jsonl')
    const info = { id: 'i', timestamp: AT, type: 'info', content: 'Request cancelled.' }
    await write(path, [head, user('q', '/chat save'), user('u', 'Go.'), answer('m', 'Well,'), info])
    expect(await exchangesOf(path)).toMatchObject([{ prompt: 'Go.', answer: 'Well,', interrupted: true }])
  })

  test('a failure of the service that the person was shown ends it', () => {
    const content = '[API Error: {"error":{"code":503,"message":"The model is overloaded."}}]'
    const run = collect(head, user('u', 'Go.'), { id: 'e', timestamp: AT, type: 'error', content })
    expect([ending(run), run.service?.words]).toEqual([
      'service_failed api, passing',
      'The model is overloaded.',
    ])
  })

  test('its title, and of several folders the one that its sessions are filed by', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'session-x.jsonl')
    const context =
      '<session_context>\n- **Workspace Directories:**\n  - /other\n  - /home/user/project\n- **Directory Structure:**\n</session_context>'
    const projectHash = '9dad1e4e08b0b11cbcd860257e8bdfa6b8e5f01790e10a6a0b1f4870c13e686b'
    const set = { $set: { messages: [user('c', context)], summary: 'Mend the cart' } }
    await write(path, [{ ...head, projectHash }, set, user('u', 'Go.')])
    const { session } = await readExchanges(path, {}, async () => undefined)
    expect(session).toMatchObject({ conversationId: 's1', title: 'Mend the cart', cwd: '/home/user/project' })
  })

  test('a part of a resumed session does not repeat what came before', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'session-x.jsonl')
    const before = [head, user('u', 'Go.'), answer('m', 'Yes.', [call('a', 'success', 'Output: a')])]
    const after = [{ $set: { messages: before.slice(1) } }, user('v', 'More.'), answer('n', 'Done.')]
    await write(path, [...before, ...after])
    const from = before.map((line) => `${JSON.stringify(line)}\n`).join('').length
    const run = await readTranscript(path, { part: { from, to: Number.POSITIVE_INFINITY } })
    expect([run.prompt, run.texts.map(({ text }) => text), calls(run)]).toEqual(['More.', ['Done.'], []])
  })

  test('what its sub-agents did belongs to the run, and is a conversation of its own', async () => {
    const chats = join(await temporaryFolder(), 'chats')
    await mkdir(join(chats, 's1'), { recursive: true })
    const invoked = { id: 'i', name: 'invoke_agent', args: {}, status: 'success', timestamp: AT }
    await write(join(chats, 'session-x.jsonl'), [
      head,
      user('u', 'Go.'),
      answer('m', '', [invoked]),
      answer('z', 'Done.'),
    ])
    const agent = join(chats, 's1', 'helper.jsonl')
    const side = { ...head, sessionId: 'helper', kind: 'subagent', directories: ['/p'] }
    await write(agent, [side, user('t', 'Look.'), answer('k', 'Seen.', [call('a', 'success', 'Output: a')])])
    const run = await readTranscript(join(chats, 'session-x.jsonl'))
    expect(run.toolCalls.map(({ name, subAgent }) => [name, subAgent])).toEqual([
      ['invoke_agent', false],
      ['run_shell_command', true],
    ])
    expect([run.sessionId, run.prompt, ending(run)]).toEqual(['s1', 'Go.', 'completed'])
    const { session } = await readExchanges(agent, {}, async () => undefined)
    expect(session).toMatchObject({ conversationId: 'helper', parentId: 's1', cwd: '/p' })
  })
})

async function write(path: string, lines: readonly JsonObject[]): Promise<void> {
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
