import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import type { AgentName } from '../../../src/transcripts/agents.ts'
import { Collector } from '../../../src/transcripts/collector.ts'
import { gemini } from '../../../src/transcripts/gemini/gemini.ts'
import { qwen } from '../../../src/transcripts/qwen/qwen.ts'
import fc from '../../support/fast-check.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

function recordingsIn(folder: string): Buffer[] {
  return readdirSync(join(FIXTURES, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(FIXTURES, folder, name)))
    .filter(({ length }) => length > 0)
}

const RECORDINGS = ['gemini', 'qwen'].flatMap((agent) =>
  ['stream', 'session-files'].flatMap((kind) => recordingsIn(`agents/${agent}/${kind}`)),
)

function collect(bytes: Buffer | string, agent?: AgentName) {
  const collector = new Collector({ agent })
  collector.push(bytes)
  return collector.finish()
}

/** Whatever came in, something can be said of it. */
function expectRun(bytes: Buffer | string, agent?: AgentName): void {
  expect(extract(collect(bytes, agent), { project: '/home/user/project' }).summary.trim()).not.toBe('')
}

describe('whatever arrives', () => {
  test('a recording cut at any byte gives a run', () => {
    const places = fc.tuple(fc.constantFrom(...RECORDINGS), fc.nat(300_000))
    fc.assert(
      fc.property(places, ([bytes, place]) => {
        const cut = bytes.subarray(0, place % (bytes.length + 1))
        expect(collect(cut).lines.broken).toBe(0)
        expectRun(cut)
      }),
      { numRuns: 80 },
    )
  })

  test('bytes changed at random are survived', () => {
    const changes = fc.array(fc.tuple(fc.nat(300_000), fc.nat(255)), { maxLength: 20 })
    fc.assert(
      fc.property(fc.constantFrom(...RECORDINGS), changes, (bytes, changed) => {
        const damaged = Buffer.from(bytes)
        for (const [place, value] of changed) damaged[place % damaged.length] = value
        expectRun(damaged)
      }),
      { numRuns: 60 },
    )
  })

  const any = fc.anything({ maxDepth: 1, maxKeys: 2 })
  const word = fc.oneof(fc.string(), any)
  const tool = fc.constantFrom('read_file', 'replace', 'run_shell_command', 'grep_search', 'tool_call', 'x')
  const input = fc.oneof(any, fc.record({ command: word, file_path: word, name: word, arguments: any }))
  const part = fc.oneof(
    any,
    fc.record({ text: word, thought: any }),
    fc.record({ functionCall: fc.record({ id: word, name: tool, args: input }) }),
    fc.record({
      functionResponse: fc.record({ id: word, response: fc.record({ output: word, error: word }) }),
    }),
  )

  test('lines of Gemini CLI of any shape are survived', () => {
    const call = fc.record({ id: word, name: tool, args: input, status: word, result: fc.array(part) })
    const line = fc.record(
      {
        type: fc.constantFrom(
          'init',
          'message',
          'tool_use',
          'tool_result',
          'error',
          'result',
          'user',
          'gemini',
        ),
        ...{ timestamp: fc.oneof(fc.string(), any), role: word, status: word, severity: word, message: any },
        content: fc.oneof(fc.array(part), word),
        ...{
          id: word,
          session_id: word,
          tool_id: fc.constantFrom('a', 'b'),
          tool_name: tool,
          parameters: input,
        },
        ...{
          output: word,
          error: any,
          stats: any,
          delta: fc.boolean(),
          tokens: any,
          toolCalls: fc.array(call),
        },
        ...{
          projectHash: word,
          sessionId: word,
          $set: fc.oneof(any, fc.record({ messages: fc.array(any) })),
        },
      },
      { requiredKeys: ['type', 'timestamp'] },
    )
    expectSurvived(line, 'gemini')
  })

  test('lines of Qwen Code of any shape are survived', () => {
    const block = fc.record(
      {
        ...{ type: fc.constantFrom('text', 'tool_use', 'tool_result'), id: word, name: tool, input },
        ...{ tool_use_id: word, text: word, content: word, is_error: fc.boolean() },
      },
      { requiredKeys: ['type'] },
    )
    const line = fc.record(
      {
        type: fc.constantFrom('system', 'assistant', 'user', 'result', 'tool_result'),
        subtype: fc.oneof(fc.constantFrom('init', 'retry', 'ui_telemetry', 'custom_title', 'success'), any),
        message: fc.oneof(any, fc.record({ parts: fc.array(part) }), fc.record({ content: fc.array(block) })),
        ...{ provenance: word, sessionId: word, uuid: word, timestamp: word, usageMetadata: any, data: any },
        ...{ systemPayload: any, toolCallResult: any, usage: any, error: any, is_error: fc.boolean() },
      },
      { requiredKeys: ['type'] },
    )
    expectSurvived(line, 'qwen')
  })

  function expectSurvived(line: fc.Arbitrary<unknown>, agent: AgentName): void {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        expectRun(lines.map((each) => `${JSON.stringify(each) ?? ''}\n`).join(''), agent)
      }),
      { numRuns: 80 },
    )
  }
})

test('no line of Claude Code is taken for one of theirs', () => {
  const lines = ['stream-json', 'session-files']
    .flatMap(recordingsIn)
    .flatMap((bytes) => bytes.toString('utf8').split('\n'))
  const objects = lines.flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
  expect(objects.length).toBeGreaterThan(100)
  expect(objects.filter((line) => gemini.recognises!(line) || qwen.recognises!(line))).toEqual([])
})
