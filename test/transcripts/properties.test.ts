import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { extract } from '../../src/feature-memory/extract/extract.ts'
import { parseRecord } from '../../src/feature-memory/record.ts'
import type { AgentRun } from '../../src/transcripts/agent-run.ts'
import { Collector } from '../../src/transcripts/collector.ts'
import fc from '../support/fast-check.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const recordings = ['stream-json', 'session-files'].flatMap((folder) =>
  readdirSync(join(FIXTURES, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(FIXTURES, folder, name))),
)

function collect(chunks: Iterable<Uint8Array | string>): AgentRun {
  const collector = new Collector()
  for (const chunk of chunks) collector.push(chunk)
  return collector.finish()
}

function* cutAt(bytes: Buffer, places: readonly number[]): Generator<Buffer> {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let at = 1; at < sorted.length; at++) yield bytes.subarray(sorted[at - 1], sorted[at])
}

/** Whatever came in, what comes out is a valid record. */
function expectRecord(run: AgentRun): void {
  const {
    timestamp = '2026-01-01T00:00:00Z',
    model: _,
    ...fields
  } = extract(run, { project: '/home/dev/shop' })
  const record = parseRecord({
    iterationNumber: 1,
    taskId: 1,
    taskTitle: 'T',
    feature: 'f',
    timestamp,
    ...fields,
  })
  expect(record.summary.trim()).not.toBe('')
}

const recording = fc.constantFrom(...recordings)

describe('whatever arrives', () => {
  test('in which chunks the bytes come makes no difference', () => {
    fc.assert(
      fc.property(recording, fc.array(fc.nat(300_000), { maxLength: 40 }), (bytes, places) => {
        expect(collect(cutAt(bytes, places))).toEqual(collect([bytes]))
      }),
      { numRuns: 60 },
    )
  })

  test('nor does it as text, even when cut inside a character', () => {
    const line = JSON.stringify({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'text', text: 'Grüße 👩‍👩‍👧 ✓ 🎉' }] },
    })
    for (let at = 0; at <= line.length; at++) {
      expect(collect([line.slice(0, at), line.slice(at)]).texts[0]?.text).toBe('Grüße 👩‍👩‍👧 ✓ 🎉')
    }
  })

  test('a recording cut at any byte gives a run and a record', () => {
    fc.assert(
      fc.property(recording, fc.nat(300_000), (bytes, place) => {
        const run = collect([bytes.subarray(0, place % (bytes.length + 1))])
        expect(run.lines.broken).toBe(0)
        expectRecord(run)
      }),
      { numRuns: 150 },
    )
  })

  test('bytes changed at random are survived', () => {
    fc.assert(
      fc.property(
        recording,
        fc.array(fc.tuple(fc.nat(300_000), fc.nat(255)), { maxLength: 20 }),
        (bytes, changes) => {
          const damaged = Buffer.from(bytes)
          for (const [place, value] of changes) damaged[place % damaged.length] = value
          expectRecord(collect([damaged]))
        },
      ),
      { numRuns: 100 },
    )
  })

  test('lines of the right types and any shape are survived', () => {
    const types = ['assistant', 'user', 'system', 'result', 'rate_limit_event', 'cost-state', 'attachment']
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'tool_use', 'tool_result', 'thinking'),
        id: fc.constantFrom('a', 'b'),
        tool_use_id: fc.oneof(fc.constantFrom('a', 'b'), fc.anything()),
        name: fc.constantFrom('Bash', 'Write', 'Grep', 'X'),
        input: fc.oneof(fc.anything(), fc.record({ command: fc.string(), file_path: fc.string() })),
        text: fc.oneof(fc.string(), fc.anything()),
        content: fc.oneof(fc.string(), fc.anything()),
        is_error: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    )
    const line = fc.record(
      {
        type: fc.constantFrom(...types),
        subtype: fc.oneof(fc.constantFrom('init', 'api_retry', 'success', 'error_max_turns'), fc.anything()),
        message: fc.oneof(
          fc.anything(),
          fc.record({ id: fc.string(), content: fc.array(block), usage: fc.anything() }),
        ),
        tool_use_result: fc.anything(),
        toolUseResult: fc.anything(),
        sessionId: fc.anything(),
        timestamp: fc.oneof(fc.string(), fc.anything()),
        result: fc.anything(),
        errors: fc.anything(),
        modelUsage: fc.anything(),
        usage: fc.anything(),
        rate_limit_info: fc.oneof(fc.anything(), fc.record({ resetsAt: fc.double() })),
        is_error: fc.boolean(),
        error: fc.anything(),
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (events) => {
        const text = events.map((event) => `${JSON.stringify(event) ?? ''}\n`).join('')
        expectRecord(collect([text]))
      }),
      { numRuns: 300 },
    )
  })
})
