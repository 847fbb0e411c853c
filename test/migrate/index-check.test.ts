import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compareSearches } from '../../src/migrate/index-check.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid } from '../../src/text/ids.ts'
import { temporaryFolder } from '../support/temporary.ts'

const COUNT = 60
const CALIBRATION = [
  [0, 0],
  [1, 1],
] as const

/** Documents on an arc, each with the place that it has there; without one only by words. */
async function indexOf(placeOf: (at: number) => number | undefined) {
  const index = openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })
  onTestFinished(() => index.close())
  const put = Array.from({ length: COUNT }, (_, at) => {
    const angle = placeOf(at)
    const made = {
      id: deterministicUuid('at', String(at)),
      text: `number ${at}`,
      textHash: `${at}`,
      payload: {},
    }
    if (angle === undefined) return made
    // Steps that grow a little: no two neighbours are equally far away.
    const radians = angle * 0.02 + angle ** 2 * 1e-5
    return { ...made, vector: Float32Array.of(Math.cos(radians), Math.sin(radians)) }
  })
  await index.write({ name: 'c', embedderId: 'e', dimensions: 2, filterable: [] }, { put })
  return index
}

const isEmbedded = (at: number) => at % 3 > 0

it('finds two indexes the same but for what the old one had not embedded yet', async () => {
  const source = await indexOf((at) => (isEmbedded(at) ? at : undefined))
  const target = await indexOf((at) => at)
  const { searches, same } = await compareSearches({ source, target }, ['c'], CALIBRATION)
  expect(searches).toBe(12)
  expect(same).toBe(searches)
})

it.each([
  ['behind', isEmbedded],
  ['level', () => true],
])('finds vectors that came into wrong hands, the old index being %s', async (_, wasEmbedded) => {
  const source = await indexOf((at) => (wasEmbedded(at) ? at : undefined))
  const target = await indexOf((at) => (wasEmbedded(at) ? (at * 7) % COUNT : at))
  const { searches, same } = await compareSearches({ source, target }, ['c'], CALIBRATION)
  expect(searches).toBe(12)
  expect(same).toBeLessThan(searches / 2)
})
