import { expect, it } from 'vitest'
import { placed, type ToPlace } from '../../src/memory-map/layout/layout.ts'
import { seededRandom } from '../../src/memory-map/layout/random.ts'

const DIMENSIONS = 24
const GROUPS = 4

/** Memories of a few topics: what is of one topic means nearly the same. */
function memories(count: number): (ToPlace & { topic: number })[] {
  const random = seededRandom(7)
  const centres = Array.from({ length: GROUPS }, () => vector(random))
  return Array.from({ length: count }, (_, at) => {
    const topic = at % GROUPS
    const around = vector(random)
    const mixed = centres[topic]!.map((value, axis) => value + 0.4 * around[axis]!)
    return { id: idOf(Math.floor(random() * 2 ** 32), at), topic, vector: unit(mixed) }
  })
}

const idOf = (first: number, at: number) =>
  `${first.toString(16).padStart(8, '0')}-${String(at).padStart(4, '0')}`
const vector = (random: () => number) => unit(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5))
const unit = (values: Float32Array) => {
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!)

/** Of the five that stand nearest to each, how many are of the same topic. */
function sameTopic(
  all: readonly (ToPlace & { topic: number })[],
  places: ReadonlyMap<string, readonly number[]>,
): number {
  const shares = all.map((one) => {
    const nearest = all
      .filter((other) => other !== one)
      .toSorted(
        (a, b) =>
          distance(places.get(a.id)!, places.get(one.id)!) - distance(places.get(b.id)!, places.get(one.id)!),
      )
      .slice(0, 5)
    return nearest.filter(({ topic }) => topic === one.topic).length / nearest.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

it('puts near each other what means nearly the same', async () => {
  const all = memories(160)
  expect(sameTopic(all, await placed(all, new Map()))).toBeGreaterThan(0.95)
})

it('draws the same picture of the same memories, in whatever order they come', async () => {
  const all = memories(60)
  const [once, again] = [await placed(all, new Map()), await placed(all.toReversed(), new Map())]
  expect([...again].toSorted()).toEqual([...once].toSorted())
})

it('leaves everything where it was and puts new ones among their neighbours', async () => {
  const all = memories(160)
  const before = await placed(all.slice(0, 120), new Map())
  const after = await placed(all, before)
  for (const [id, point] of before) expect(after.get(id)).toEqual(point)
  expect(after.size).toBe(160)
  expect(sameTopic(all, after)).toBeGreaterThan(0.9)
})

it('grows from very few, one at a time', async () => {
  const all = memories(40)
  let places = new Map<string, [number, number]>()
  for (let count = 1; count <= all.length; count++) {
    const next = await placed(all.slice(0, count), places)
    for (const [id, point] of places) expect(next.get(id)).toEqual(point)
    places = next
  }
  expect(places.size).toBe(40)
  expect([...places.values()].flat().every(Number.isFinite)).toBe(true)
  expect(sameTopic(all, places)).toBeGreaterThan(0.7)
})

it.each([0, 1, 2, 3])('draws %i memories', async (count) => {
  const places = await placed(memories(count), new Map())
  expect([...places.values()].flat().filter(Number.isFinite)).toHaveLength(count * 2)
})

it('lets twins stand beside each other', async () => {
  const [one] = memories(1)
  const twins = Array.from({ length: 30 }, (_, at) => ({ id: idOf(at * 7_919_001, at), vector: one!.vector }))
  const places = await placed(twins, new Map())
  expect(new Set([...places.values()].map(String)).size).toBe(30)
})

it('lets others have their turn meanwhile', async () => {
  let turns = 0
  const others = setInterval(() => turns++, 0)
  try {
    await placed(memories(600), new Map())
  } finally {
    clearInterval(others)
  }
  expect(turns).toBeGreaterThanOrEqual(3)
})
