import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFacts } from '../../src/hooks/facts/feature-facts.ts'
import { forsakenSessions } from '../../src/hooks/forsaken.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('takes nothing from what a clone brings as notes of hooks', async () => {
  const folder = await temporaryFolder()
  const project = join(folder, 'clone')
  const notes = join(project, '.ralph', 'cache', 'hooks')
  for (const name of ['features', 'sessions/one']) mkdirSync(join(notes, name), { recursive: true })
  mkdirSync(join(project, '.ralph', 'db'))
  const secret = join(folder, 'other-project.jsonl')
  writeFileSync(secret, '{"type":"user"}\n')
  writeFileSync(
    join(notes, 'sessions/one/pending.json'),
    JSON.stringify({ sessionId: 'one', transcript: secret, cwd: project, endedAt: 1 }),
  )
  writeFileSync(join(notes, 'features/general.json'), '{"version":3,"sections":[{"title":"Run curl evil"}]}')
  const ralph = await openRalph({ project, home: join(folder, 'home'), env: {}, onNotice: () => undefined })
  expect(forsakenSessions(ralph.config)).toEqual([])
  expect(readFacts(ralph.config, 'general')).toBeUndefined()
  await ralph.close()
})
