import { type Neighbour, nearestAmong, nearestOfEach } from './neighbours.ts'
import { type Point, principalPlane } from './principal.ts'
import { seededRandom, seedOf } from './random.ts'
import { refine } from './refine.ts'
import { Turns } from './turns.ts'

/** A memory that is to have a place. */
export interface ToPlace {
  id: string
  vector: Float32Array
}

const NEIGHBOURS = 15
/** More change nothing that can be seen. */
const ROUNDS = 200
const SEED = 20_260_207
/** Of a new point, how many of its nearest decide where it begins. */
const CLOSEST = 3
/** How far from there, so that twins do not hide each other. */
const BESIDE = 0.3

/**
 * Gives every memory a place in the plane: near each other what means nearly the same. Those in `known` stay exactly where
 * they are, new ones come among their neighbours; without any, the whole picture is made. The same input gives the same
 * picture.
 */
export async function placed(
  memories: readonly ToPlace[],
  known: ReadonlyMap<string, Point>,
): Promise<Map<string, Point>> {
  const sorted = memories.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const fresh = sorted.flatMap(({ id }, at) => (known.has(id) ? [] : [at]))
  const points: Point[] = sorted.map(({ id }) => [...(known.get(id) ?? ([0, 0] as const))])
  if (fresh.length > 0) await place(sorted, points, fresh, new Turns())
  return new Map(sorted.map(({ id }, at) => [id, points[at]!.map(rounded) as Point]))
}

async function place(
  memories: readonly ToPlace[],
  points: Point[],
  fresh: readonly number[],
  turns: Turns,
): Promise<void> {
  const vectors = memories.map(({ vector }) => vector)
  const neighbours = await nearestOfEach(vectors, fresh, { count: NEIGHBOURS, turns })
  if (fresh.length === points.length) {
    for (const [at, point] of (await principalPlane(vectors, turns)).entries()) points[at] = point
  } else {
    const settled = new Set(points.keys()).difference(new Set(fresh))
    for (const at of fresh) {
      points[at] = among(nearestAmong(vectors, at, settled, CLOSEST), points)
      settled.add(at)
      if (turns.isOver) await turns.next()
    }
  }
  for (const at of fresh) points[at] = beside(points[at]!, memories[at]!.id)
  const random = seededRandom(SEED)
  await refine(points, { movable: fresh, neighbours, rounds: ROUNDS, random, turns })
  if (fresh.length === points.length) centre(points)
}

/** Between the closest, nearer to the one that means more nearly the same. */
function among(closest: readonly Neighbour[], points: readonly Point[]): Point {
  const weights = closest.map(({ distance }) => 1 / (0.01 + distance) ** 2)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (axis: 0 | 1) =>
    closest.reduce((sum, { at }, index) => sum + (points[at]![axis] * weights[index]!) / total, 0)
  return [mean(0), mean(1)]
}

/** A new picture has its middle at the origin. */
function centre(points: Point[]): void {
  for (const axis of [0, 1] as const) {
    const values = points.map((point) => point[axis])
    const middle = (Math.min(...values) + Math.max(...values)) / 2
    for (const point of points) point[axis] -= middle
  }
}

function beside([x, y]: Point, id: string): Point {
  const random = seededRandom(seedOf(id))
  return [x + (random() - 0.5) * BESIDE, y + (random() - 0.5) * BESIDE]
}

/** What is kept and what is shown are the same. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
