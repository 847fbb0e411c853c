import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { extract } from '../../src/feature-memory/extract/extract.ts'
import type { AgentFormat } from '../../src/transcripts/agent-format.ts'
import { Collector } from '../../src/transcripts/collector.ts'
import { copilot } from '../../src/transcripts/copilot/copilot.ts'
import { opencode } from '../../src/transcripts/opencode/opencode.ts'
import { exportedLines } from '../../src/transcripts/opencode/session.ts'
import fc from '../support/fast-check.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/agents')
const FORMATS: readonly AgentFormat[] = [opencode, copilot]

/** Lines of every kind that these agents write, as they were recorded. */
const recorded = FORMATS.flatMap(({ agent }) =>
  ['stream', 'session-files'].flatMap((folder) =>
    readdirSync(join(FIXTURES, agent, folder))
      .filter((file) => file.endsWith('.jsonl') && !file.includes('06-') && !file.endsWith('.rows.jsonl'))
      .flatMap((file) => readFileSync(join(FIXTURES, agent, folder, file), 'utf8').split('\n')),
  ),
)
const exported = exportedLines(
  JSON.parse(readFileSync(join(FIXTURES, 'opencode/session-files/01-first-go.export.json'), 'utf8')),
)!
const lines = [
  ...recorded.filter((line) => line !== '').map((line) => JSON.parse(line) as object),
  ...exported,
]

/** The same line with one value of it, however deep, turned into something else. */
function spoilt(value: unknown, place: number, other: unknown): unknown {
  let at = 0
  const visit = (part: unknown): unknown => {
    if (at++ === place) return other
    if (Array.isArray(part)) return part.map(visit)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item)]))
  }
  return visit(value)
}

const spoiltLine = fc
  .tuple(fc.constantFrom(...lines), fc.nat(60), fc.oneof(fc.jsonValue(), fc.double(), fc.string()))
  .map(([line, place, other]) => spoilt(line, place, other))

describe('lines of opencode and Copilot of any shape', () => {
  test('give a run and what can be told of it', () => {
    fc.assert(
      fc.property(fc.array(spoiltLine, { maxLength: 20 }), (events) => {
        const collector = new Collector()
        for (const event of events) collector.pushLine(JSON.stringify(event) ?? '')
        expect(extract(collector.finish(), { project: '/home/user/project' }).summary.trim()).not.toBe('')
      }),
      { numRuns: 300 },
    )
  })

  test('give exchanges, whichever of the two is asked', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS), fc.array(spoiltLine, { maxLength: 20 }), (format, events) => {
        const reader = format.exchanges('/nowhere/session')
        const objects = events.filter(
          (event) => typeof event === 'object' && event !== null && !Array.isArray(event),
        )
        const found = objects.flatMap((event, at) => reader.push(event as Record<string, unknown>, at))
        for (const { prompt } of [...found, ...reader.finish()]) expect(typeof prompt).toBe('string')
      }),
      { numRuns: 200 },
    )
  })

  test('documents of any shape are opencode’s or nobody’s', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('info', 'messages', 'x'), fc.jsonValue()), (document) => {
        for (const line of exportedLines(document) ?? []) expect(opencode.formatOf(line)).toBe('session')
      }),
      { numRuns: 200 },
    )
  })
})
