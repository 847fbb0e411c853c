import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/text/json.ts'
import { Collector } from '../../../src/transcripts/collector.ts'
import { readExchanges } from '../../../src/transcripts/read-exchanges.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { calls, ending } from '../told.ts'
import { exchangesOf } from '../told-exchanges.ts'

function collect(...lines: JsonObject[]) {
  const collector = new Collector()
  for (const line of lines) collector.pushObject(line)
  return collector.finish()
}

const init = { type: 'system', subtype: 'init', session_id: 's', qwen_code_version: '0.24.4', cwd: '/p' }
const assistant = (...content: JsonObject[]) => ({
  type: 'assistant',
  session_id: 's',
  message: { id: 'm', role: 'assistant', content, usage: { input_tokens: 0, output_tokens: 0 } },
})
const user = (...content: JsonObject[]) => ({ type: 'user', message: { role: 'user', content } })
const result = (fields: JsonObject) => ({ type: 'result', subtype: 'success', is_error: false, ...fields })

describe('the stream', () => {
  test('what became of a background agent is nobody’s prompt', () => {
    const agent = { type: 'tool_use', id: 'a', name: 'agent', input: { description: 'look' } }
    const done = user({ type: 'text', text: 'Background agent "look" completed.' })
    const started = { type: 'system', subtype: 'task_started', data: { tool_use_id: 'a' } }
    const run = collect(init, assistant(agent), started, done, result({ result: 'Done.' }))
    expect([run.prompt, ending(run), run.lines.unknown]).toEqual([undefined, 'completed', 0])
  })

  test('a command in the background is over when it is said to be', () => {
    const shell = { type: 'tool_use', id: 'a', name: 'run_shell_command', input: { command: 'npm start' } }
    const started = user({ type: 'tool_result', tool_use_id: 'a', content: 'Background shell 1 started.' })
    const told = (status: string) => ({
      type: 'system',
      subtype: 'task_notification',
      data: { tool_use_id: 'a', status },
    })
    const begun = [init, assistant(shell), started, told('running')]
    expect(calls(collect(...begun))).toEqual(['unfinished run_shell_command npm start'])
    expect(calls(collect(...begun, told('failed')))).toEqual(['failed run_shell_command npm start'])
  })

  test('a retry for another reason than a limit is none', () => {
    const retry = { type: 'system', subtype: 'retry', data: { reason: 'retry' } }
    const run = collect(init, retry)
    expect([ending(run), run.rateLimit.retries]).toEqual(['cut', 0])
  })

  test('tokens are those of the result where no answer told any', () => {
    const usage = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 4 }
    const run = collect(init, assistant({ type: 'text', text: 'Yes.' }), result({ usage }))
    expect(run.usage).toEqual({ input: 6, output: 2, cacheRead: 4, cacheWrite: 0 })
  })

  test('a program error that is none of the service’s', () => {
    const failed = { subtype: 'error_during_execution', is_error: true, error: { message: 'Broken.' } }
    const run = collect(init, result(failed))
    expect([ending(run), run.result?.text]).toEqual(['failed', 'Broken.'])
  })
})

const AT = '2026-11-16T17:00:00.000Z'
const line = (type: string, fields: JsonObject) => ({
  ...{ uuid: `${type}-${JSON.stringify(fields).length}`, sessionId: 's1', timestamp: AT, cwd: '/p', type },
  ...fields,
})
const typed = (text: string, fields: JsonObject = {}) =>
  line('user', { provenance: 'real_user', message: { role: 'user', parts: [{ text }] }, ...fields })
const says = (...parts: JsonObject[]) =>
  line('assistant', { model: 'qwen3-coder-plus', message: { role: 'model', parts } })

describe('the session file', () => {
  test('only a person’s words are prompts', async () => {
    const path = join(await temporaryFolder(), 'x.jsonl')
    await write(path, [
      typed('Go.', { systemPayload: { displayText: 'Go.' } }),
      says({ text: 'thinking', thought: true }, { text: 'Yes.' }),
      typed('Background agent completed.', { subtype: 'notification' }),
      typed('Keep at it.', { subtype: 'goal_runtime', provenance: 'goal_runtime' }),
      typed('And this.', { subtype: 'mid_turn_user_message' }),
      says({ text: 'Done.' }),
    ])
    const exchanges = await exchangesOf(path)
    expect(exchanges.map(({ prompt, answer }) => [prompt, answer])).toEqual([
      ['Go.', 'Yes.'],
      ['And this.', 'Done.'],
    ])
  })

  test('an answer that was stopped before its end, and one without words', () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 }
    const whole = { ...says({ text: '(empty content)' }), usageMetadata }
    expect([ending(collect(whole)), collect(whole).texts]).toEqual(['cut', []])
    expect(ending(collect(whole, says({ text: 'I have begun and' })))).toBe('interrupted')
    // Some services never tell what an answer took.
    expect(ending(collect(says({ text: 'A' }), says({ text: 'B' })))).toBe('completed')
  })

  test('a command whose time was up says so', () => {
    const error = 'Command timed out after 9ms before it could complete. Below is the output:\nbegin'
    const run = collect(
      says({ functionCall: { id: 'a', name: 'run_shell_command', args: { command: 'sleep 30' } } }),
      line('tool_result', {
        message: { role: 'user', parts: [{ functionResponse: { id: 'a', response: { error } } }] },
        toolCallResult: {
          ...{ callId: 'a', status: 'error' },
          resultDisplay: { type: 'shell_result', exitCode: null, outcome: 'timed_out', output: 'begin' },
        },
      }),
    )
    expect(run.toolCalls).toMatchObject([{ status: 'failed', output: error }])
  })

  test('a command that was killed, one in the background, and a file that is new', () => {
    const made = (id: string, name: string, args: JsonObject) => ({ functionCall: { id, name, args } })
    const got = (callId: string, output: string, resultDisplay: unknown) =>
      line('tool_result', {
        message: { role: 'user', parts: [{ functionResponse: { id: callId, response: { output } } }] },
        toolCallResult: { callId, status: 'success', resultDisplay },
      })
    const run = collect(
      says(
        made('a', 'run_shell_command', { command: 'npm run a' }),
        made('b', 'run_shell_command', { command: 'npm start', is_background: true }),
        made('c', 'write_file', { file_path: '/p/.ralph/x.md' }),
      ),
      got('a', 'Output: x', { type: 'shell_result', exitCode: 137, output: 'x' }),
      got('b', 'Background shell started.\nid: 1', 'Background shell 1 started (pid 7).'),
      got('c', 'Successfully created', { originalContent: null, newContent: 'y' }),
    )
    expect(calls(run)).toEqual([
      'failed run_shell_command npm run a',
      'unfinished run_shell_command npm start',
      'ok write_file /p/.ralph/x.md (new)',
    ])
    expect(run.toolCalls[2]?.rewrote).toEqual({ before: '', after: 'y' })
  })

  test('what its sub-agents did belongs to the run, and is a conversation of its own', async () => {
    const project = join(await temporaryFolder(), '-p')
    const main = join(project, 'chats', 's1.jsonl')
    const agent = join(project, 'subagents', 's1', 'agent-look-1.jsonl')
    await write(main, [typed('Go.'), says({ text: 'Done.' })])
    const side = { agentId: 'look-1', isSidechain: true, provenance: undefined, model: undefined }
    const read = { functionCall: { id: 'r', name: 'read_file', args: { file_path: '/p/a' } } }
    await write(agent, [
      { ...typed('Look.'), ...side },
      { ...says(read), ...side },
      { ...says({ text: 'Seen.' }), ...side },
    ])
    const run = await readTranscript(main)
    expect(run.texts).toEqual([
      { text: 'Done.', subAgent: false },
      { text: 'Seen.', subAgent: true },
    ])
    expect([run.agent, run.sessionId, run.prompt, ending(run)]).toEqual(['qwen', 's1', 'Go.', 'completed'])
    const { session } = await readExchanges(agent, {}, async () => undefined)
    expect(session).toMatchObject({ conversationId: 's1/look-1', parentId: 's1', cwd: '/p' })
  })
})

async function write(path: string, lines: readonly JsonObject[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
}
