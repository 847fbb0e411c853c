import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { temporaryFolder } from '../support/temporary.ts'

it.each([
  ['right', 'ok', undefined],
  ['looking', 'problem', /find what is in it already/],
  ['wrong', 'problem', /do without it: by words only/],
])('says what a key that is %s means for searches', async (key, level, means) => {
  const server = await startQdrant({ apiKey: 'right', readOnlyKey: 'looking' })
  onTestFinished(() => server.close())
  const folder = await temporaryFolder()
  const ralph = await openRalph({
    project: folder,
    home: join(folder, 'home'),
    env: {
      RALPH_EMBEDDER: 'none',
      RALPH_INDEX: 'qdrant',
      RALPH_QDRANT_URL: server.url,
      RALPH_QDRANT_API_KEY: key,
    },
    onNotice: () => undefined,
    via: 'command',
  })
  onTestFinished(() => ralph.close())
  const index = (await ralph.health.examine()).find(({ check }) => check === 'index')
  expect(index).toMatchObject({ level, ...(means && { means: expect.stringMatching(means) }) })
})
