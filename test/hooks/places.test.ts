import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { emptyFacts, readFacts, writeFacts } from '../../src/hooks/facts/feature-facts.ts'
import { forsakenSessions } from '../../src/hooks/forsaken.ts'
import { claim, projectIdOf, sessionsDir } from '../../src/hooks/places.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { makeProjectFile } from '../../src/identity/project-file.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a claim is for the first, lapses, and is not stuck when the clock ran ahead', async () => {
  const path = join(await temporaryFolder(), 'sweep')
  const madeAt = (ms: number) => utimes(`${path}.claim`, new Date(ms), new Date(ms))
  expect([claim(path, 60_000), claim(path, 60_000)]).toEqual([true, false])
  for (const hour of [-3_600_000, 3_600_000]) {
    await madeAt(Date.now() + hour)
    expect([claim(path, 60_000), claim(path, 60_000)]).toEqual([true, false])
  }
})

it('nothing of a project is told or recorded in another one at the same path', async () => {
  const folder = await temporaryFolder()
  const project = join(folder, 'workspace')
  const start = () => mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  start()
  const config = await resolveConfig({ project, home: join(folder, 'home'), env: {} })
  await makeProjectFile(config.paths.identity)
  const transcript = join(folder, 'session.jsonl')
  writeFileSync(transcript, '{}\n')
  const note = (sessionId: string, projectId: string | undefined) =>
    new SessionNotes(sessionsDir(config), sessionId).setPending({
      ...{ sessionId, transcript, cwd: project, endedAt: 1, projectId },
    })
  note('killed', projectIdOf(config))
  writeFacts(config, emptyFacts('general', 'of the first'))
  expect(readFacts(config, 'general')?.journal).toBe('of the first')
  expect(forsakenSessions(config)).toHaveLength(1)

  rmSync(join(project, '.ralph'), { recursive: true })
  start()
  // Noted before anything had an id: it can only be of whatever lies there.
  note('older', undefined)
  expect(readFacts(config, 'general')).toBeUndefined()
  await makeProjectFile(config.paths.identity)
  expect(readFacts(config, 'general')).toBeUndefined()
  expect(forsakenSessions(config).map((notes) => notes.pending()?.sessionId)).toEqual(['older'])
})
