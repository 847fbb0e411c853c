import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extract } from '../../src/feature-memory/extract/extract.ts'
import { parseRecord } from '../../src/feature-memory/record.ts'
import type { JsonObject } from '../../src/text/json.ts'
import { agentOf } from '../../src/transcripts/agent-format.ts'
import type { AgentName } from '../../src/transcripts/agents.ts'
import { Collector } from '../../src/transcripts/collector.ts'
import fc from '../support/fast-check.ts'

const AGENTS = join(import.meta.dirname, '../fixtures/agents')
/** Longer lines make it slow and no more thorough. */
const LONGEST = 20_000

/** Whatever lines of an agent come in whatever order, damaged in whatever way: a run, a record and conversations come out. */
export function testAnyLines(agent: AgentName): void {
  const lines = ['stream', 'session-files'].flatMap((folder) =>
    readdirSync(join(AGENTS, agent, folder)).flatMap((name) =>
      readFileSync(join(AGENTS, agent, folder, name), 'utf8')
        .split('\n')
        .filter((text) => text !== '' && text.length < LONGEST),
    ),
  )
  const anyLine = fc.constantFrom(...lines).map((text) => JSON.parse(text) as JsonObject)
  const damaged = fc
    .tuple(anyLine, fc.nat(), fc.jsonValue())
    .map(([line, place, value]) => damage(line, place, value))
  const anyLines = fc.array(fc.oneof(anyLine, damaged), { minLength: 1, maxLength: 30 })

  test('any lines in any order give a run and a record', () => {
    fc.assert(
      fc.property(anyLines, (some) => {
        const collector = new Collector({ agent })
        for (const line of some) collector.pushObject(line)
        const {
          timestamp = '2026-01-01T00:00:00Z',
          model: _,
          ...fields
        } = extract(collector.finish(), { project: '/p' })
        const task = { iterationNumber: 1, taskId: 1, taskTitle: 'T', feature: 'f' }
        expect(parseRecord({ ...task, timestamp, ...fields }).summary.trim()).not.toBe('')
      }),
      { numRuns: 150 },
    )
  })

  test('and conversations that begin with a prompt', () => {
    fc.assert(
      fc.property(anyLines, (some) => {
        const reader = some
          .map((line) => agentOf(line, agent))
          .find((format) => format)
          ?.exchanges('/s/session.jsonl')
        const exchanges = [
          ...some.flatMap((line, at) => reader?.push(line, at) ?? []),
          ...(reader?.finish() ?? []),
        ]
        for (const { prompt, steps } of exchanges) {
          expect(prompt.trim()).not.toBe('')
          for (const { content } of steps) expect(typeof content).toBe('string')
        }
      }),
      { numRuns: 100 },
    )
  })
}

/** The line with another value somewhere in it. */
function damage(line: JsonObject, place: number, value: unknown): JsonObject {
  const places: (() => void)[] = []
  const copy = structuredClone(line)
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const holder = node as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      places.push(() => {
        holder[key] = value
      })
      visit(holder[key])
    }
  }
  visit(copy)
  places[place % Math.max(1, places.length)]?.()
  return copy
}
