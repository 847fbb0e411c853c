import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Notice } from '../../src/notices.ts'
import { openRalph } from '../../src/ralph.ts'
import { OPENAI_TEST_KEY, startOpenAi } from '../stand-ins/openai-embeddings.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function team() {
  const [database, qdrant, folder] = [await temporaryDatabase(), await startQdrant(), await temporaryFolder()]
  onTestFinished(database.remove)
  onTestFinished(() => qdrant.close())
  /** A person with a clone of the project, a home and an embedder of their own. */
  const person = async (name: string, dimensions: number) => {
    const service = await startOpenAi({ models: [`model-of-${name}`], dimensions })
    onTestFinished(() => service.close())
    const [home, project] = [join(folder, name, 'home'), join(folder, name, 'shop')]
    mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
    const env = {
      RALPH_USER: name,
      RALPH_STORAGE: 'postgres',
      RALPH_POSTGRES_URL: database.url,
      RALPH_INDEX: 'qdrant',
      RALPH_QDRANT_URL: qdrant.url,
      RALPH_EMBEDDER: 'openai',
      RALPH_EMBEDDER_URL: `${service.url}/v1`,
      RALPH_EMBEDDER_MODEL: `model-of-${name}`,
      RALPH_EMBEDDER_API_KEY: OPENAI_TEST_KEY,
    }
    const said: Notice[] = []
    /** As one command after another would. */
    const open = async () => {
      const ralph = await openRalph({ project, home, env, onNotice: (notice) => said.push(notice) })
      onTestFinished(() => ralph.close())
      return ralph
    }
    const texts = () => service.requests.flatMap(({ body }) => body['input'] ?? []).map(String)
    return { project, open, texts, said: () => said.filter(({ key }) => key === 'index.other_embedder') }
  }
  return { person, qdrant }
}

const QUESTION = 'why does the session cookie expire'

it('lets two embedders of a team take turns on one server: each finds its own, and nothing is embedded again', async () => {
  const { person, qdrant } = await team()
  const ann = await person('ann', 480)
  const first = await ann.open()
  for (const summary of ['The session cookie expires too early', 'The invoice is printed twice'])
    await first.featureMemory.recordIteration(newIteration({ taskTitle: 'A task', summary }))
  const feature = newIteration().feature
  await first.featureMemory.search(feature, QUESTION)
  await first.close()
  const bob = await person('bob', 960)
  cpSync(join(ann.project, '.ralph'), join(bob.project, '.ralph'), {
    recursive: true,
    filter: (path) => !path.includes(join('.ralph', 'cache')),
  })
  const turn = async (who: typeof ann) => {
    const before = who.texts().length
    const ralph = await who.open()
    const [best] = await ralph.featureMemory.search(feature, QUESTION)
    await ralph.close()
    expect(best).toMatchObject({ record: { iterationNumber: 1 }, matched: ['meaning', 'words'] })
    return who.texts().slice(before)
  }
  expect((await turn(bob)).filter((text) => /expires too early|printed twice/.test(text))).not.toEqual([])
  for (const who of [ann, bob, ann, bob]) expect(await turn(who)).toEqual([QUESTION])

  expect(qdrant.collections.size).toBe(2)
  expect([ann.said().length, bob.said().length]).toEqual([0, 1])
  expect(bob.said()[0]!.message).toContain('openai:model-of-ann:480')
  const ofAnn = [...qdrant.collections.keys()].find((name) => name.includes('ann'))
  const { health } = await bob.open()
  expect((await health.examine()).find(({ check }) => check === 'other embedders')).toMatchObject({
    level: 'ok',
    detail: expect.stringContaining(`openai:model-of-ann:480: ${ofAnn}`),
    hint: expect.stringContaining(`curl -X DELETE ${qdrant.url}/collections/`),
  })
})
