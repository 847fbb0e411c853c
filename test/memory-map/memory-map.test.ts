import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { MemoryMap } from '../../src/memory-map/memory-map.ts'
import { fairShares } from '../../src/memory-map/shares.ts'
import { threeMemories } from '../recall/three-memories.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'

async function filled(options: Parameters<typeof threeMemories>[0] = {}) {
  const world = await threeMemories(options)
  for (let at = 0; at < 12; at++)
    await world.iteration(`Login form cookie number ${'abcdefghijkl'[at]} repaired`, { outcome: 'success' })
  await world.iteration('Invoices are printed on paper', { feature: 'payments' })
  world.learning('authentication', 'l1', 'A session cookie needs a timeout of its own')
  await world.pattern('session cookie timeout in tests', 'await the redirect')
  await world.pattern('of another project', 'stays there', '/home/dev/other')
  await world.exchange('e1', 'Why does the session cookie time out?', 'Because nobody waits.')
  await world.conversations.workers.runOnce(new AbortController().signal)
  const open = () => new MemoryMap({ ...world.memories, cacheDir: world.cacheDir })
  return { ...world, map: open(), open }
}

const places = ({ points }: Awaited<ReturnType<MemoryMap['draw']>>) =>
  new Map(points.map(({ id, x, y }) => [id, [x, y]]))

describe('the map of memories', () => {
  it('shows each kind with what it says and where it leads, and nothing of another project', async () => {
    const { map } = await filled()
    const { points, memories, otherModel, behind } = await map.draw()
    expect(points).toHaveLength(memories)
    expect({ otherModel, behind }).toEqual({ otherModel: 0, behind: [] })
    const kinds = Map.groupBy(points, ({ address }) => address.kind)
    expect(kinds.get('iteration')).toHaveLength(13)
    expect(kinds.get('learning')).toMatchObject([
      { address: { feature: 'authentication', learningId: 'l1' }, text: expect.stringContaining('session') },
    ])
    expect(kinds.get('pattern')).toMatchObject([
      { text: 'session cookie timeout in tests → await the redirect' },
    ])
    expect(kinds.get('exchange')).toMatchObject([
      {
        address: { conversationId: 'about e1', exchangeId: 'e1' },
        text: expect.stringContaining('Why does'),
      },
    ])
    expect(kinds.get('iteration')![0]).toMatchObject({ outcome: 'success', title: 'A task' })
  })

  it('keeps every place from day to day, also when memories come and go', async () => {
    const { map, open, iteration, memories } = await filled()
    const first = places(await map.draw())
    expect(places(await open().draw())).toEqual(first)
    await iteration('Login form cookie again, and invoices')
    const second = places(await open().draw())
    expect(second.size).toBe(first.size + 1)
    for (const [id, point] of first) expect(second.get(id)).toEqual(point)
    await memories.featureMemory.forget('authentication', { iterations: [1] })
    const third = places(await open().draw())
    expect(third.size).toBe(second.size - 1)
    for (const [id, point] of third) expect(second.get(id)).toEqual(point)
  })

  it('is the same picture when it is made anew of the same memories', async () => {
    const { map, open, cacheDir } = await filled()
    const first = places(await map.draw())
    const file = join(cacheDir, 'memory-map.json')
    rmSync(file)
    expect(places(await open().draw())).toEqual(first)
    writeFileSync(file, '{"version":1,')
    expect(places(await open().draw())).toEqual(first)
    expect(places(await open().rearrange())).toEqual(first)
  })

  it('keeps no text of memories outside of them', async () => {
    const { map, cacheDir } = await filled()
    await map.draw()
    expect(readFileSync(join(cacheDir, 'memory-map.json'), 'utf8')).not.toMatch(/cookie|login/i)
  })

  it('is made anew for another model, and says what still waits for it', async () => {
    const world = await filled()
    await world.map.draw()
    const other = await threeMemories({ folder: world.folder, embedder: new FakeEmbedder('other') })
    other.described.set('authentication', world.described.get('authentication')!)
    const picture = await new MemoryMap({ ...other.memories, cacheDir: world.cacheDir }).draw()
    expect(picture.points.filter(({ address }) => address.kind === 'iteration')).toHaveLength(13)
    expect(picture.points.some(({ address }) => address.kind === 'pattern')).toBe(false)
    expect(picture.otherModel).toBeGreaterThan(0)
  })

  it('shows the rest when one memory is down, and says so', async () => {
    const { memories, cacheDir } = await filled()
    const down = async () => {
      throw new RalphError('unavailable', 'PostgreSQL does not answer', { hint: 'start it' })
    }
    const knowledge = { ...memories.knowledge, sample: down } as typeof memories.knowledge
    const { points } = await new MemoryMap({ ...memories, knowledge, cacheDir }).draw()
    expect(new Set(points.map(({ address }) => address.kind))).toEqual(
      new Set(['iteration', 'learning', 'exchange']),
    )
    expect(memories.notices.current()).toEqual([
      {
        key: 'map project knowledge',
        message: 'project knowledge is missing from the map: PostgreSQL does not answer',
        hint: 'start it',
      },
    ])
  })

  it('is empty where nothing is remembered', async () => {
    const { memories, cacheDir } = await threeMemories()
    const picture = await new MemoryMap({ ...memories, cacheDir }).draw()
    expect(picture).toEqual({ points: [], memories: 0, otherModel: 0, behind: [] })
  })
})

it.each([
  [[10, 20, 30], 100, [10, 20, 30]],
  [[10, 1_000, 1_000], 100, [10, 45, 45]],
  [[100_000, 3, 0], 2_000, [1_997, 3, 0]],
  [[], 10, []],
])('shares %j out within %i', (sizes, most, shares) => {
  expect(fairShares(sizes, most)).toEqual(shares)
})
