import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { type Recordings, summaryOf } from './run-summary.ts'

const AGENTS = join(import.meta.dirname, '../fixtures/agents')

export function streamOf(agent: string, name: string): string {
  return join(AGENTS, agent, 'stream', `${name}.jsonl`)
}

/** `01-first-go.rollout.jsonl`; the file of a sub-agent has its whole name in the table. */
export function sessionOf(agent: string, name: string, ending: string): string {
  const folder = join(AGENTS, agent, 'session-files')
  const plain = join(folder, `${name}.jsonl`)
  return existsSync(plain) ? plain : join(folder, `${name}${ending}.jsonl`)
}

/** Every recording that there is must be in the table, and be read as the table says. */
export function testRecordings(agent: string, recordings: Recordings, ending: string): void {
  test.each(Object.entries(recordings))('%s', async (name, { both, stream, session }) => {
    if (stream) {
      const run = await readTranscript(streamOf(agent, name))
      expect(summaryOf(run)).toEqual({ ...both, ...stream })
      expect([run.agent, run.format, run.lines.unknown]).toEqual([agent, 'stream-json', 0])
    }
    if (session) {
      const run = await readTranscript(sessionOf(agent, name, ending))
      expect(summaryOf(run)).toEqual({ ...both, ...session })
      expect([run.agent, run.format, run.lines.unknown]).toEqual([agent, 'session', 0])
    }
  })

  test('the table leaves out no recording', () => {
    const names = (folder: string) =>
      readdirSync(join(AGENTS, agent, folder)).map((file) => basename(file, '.jsonl'))
    const inTable = (kind: 'stream' | 'session') =>
      Object.entries(recordings).flatMap(([name, row]) => (row[kind] ? [name] : []))
    expect(names('stream').sort()).toEqual(inTable('stream').sort())
    const sessions = names('session-files').map((name) =>
      name.endsWith(ending) ? name.slice(0, -ending.length) : name,
    )
    expect(sessions.sort()).toEqual(inTable('session').sort())
  })
}
