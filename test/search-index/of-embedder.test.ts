import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { embedderMark, indexOfEmbedder } from '../../src/search-index/of-embedder.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { describeSearchIndex } from '../contracts/search-index.ts'
import { temporaryFolder } from '../support/temporary.ts'

const NOMIC = embedderMark('ollama', 'nomic-embed-text')
const LOCAL = embedderMark('local', 'local:MiniLM:384:onnx')

describeSearchIndex('SQLite, of one embedder', async () => {
  const path = join(await temporaryFolder(), 'index.db')
  const open = () =>
    indexOfEmbedder(
      openSqliteIndex({ path }),
      async () => NOMIC,
      () => undefined,
    )
  return { index: open(), reopen: async () => open(), discard: async () => undefined }
})

it('lets two embedders share an index without building each other anew, and uses on what there was', async () => {
  const shared = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
  onTestFinished(() => shared.close())
  const document = { id: 'a', text: 'the cookie', textHash: 'a', payload: {} }
  const spec = (embedderId: string) => ({ name: 'features', embedderId, dimensions: 1, filterable: [] })
  // From a time when names did not tell.
  await shared.write(spec('local:MiniLM:384:onnx:ab'), { put: [document], state: { far: 1 } })
  const said: string[] = []
  const of = (mark: typeof LOCAL) =>
    indexOfEmbedder(
      shared,
      async () => mark,
      (other) => said.push(other),
    )
  expect(await of(LOCAL).find('features')).toMatchObject({ name: 'features', state: { far: 1 } })
  expect(said).toEqual([])

  const other = of(NOMIC)
  expect(await other.find('features')).toBeUndefined()
  expect(said).toEqual(['local:MiniLM:384:onnx:ab'])
  await other.write(spec('ollama:nomic-embed-text:768'), { put: [{ ...document, id: 'b' }] })
  expect((await of(NOMIC).search('features', { text: 'cookie', limit: 9 })).map(({ id }) => id)).toEqual([
    'b',
  ])
  expect((await of(LOCAL).search('features', { text: 'cookie', limit: 9 })).map(({ id }) => id)).toEqual([
    'a',
  ])
  const names = (await shared.collections()).map(({ name }) => name)
  expect(names).toEqual(['features', expect.stringMatching(/^features-ollama-nomic-embed-text-\w{6}$/)])
  // What is another's is neither listed nor removed.
  expect((await of(LOCAL).collections({ prefix: 'feat' })).map(({ name }) => name)).toEqual(['features'])
  await of(LOCAL).reset()
  expect(await of(NOMIC).find('features')).toMatchObject({ name: 'features' })
})
