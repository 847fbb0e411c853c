import type { Neighbour } from './neighbours.ts'
import type { Point } from './principal.ts'
import type { Turns } from './turns.ts'

export interface RefineOptions {
  /** Those that may move; all others stay where they are. */
  movable: readonly number[]
  /** Of each movable point. */
  neighbours: readonly (readonly Neighbour[])[]
  rounds: number
  random: () => number
  turns: Turns
}

/** How pull and push fade with distance: UMAP's curve for points that keep 0.5 apart, so that each can be seen. */
const A = 0.583
const B = 1.334
/** For every pull towards a neighbour, so many pushes away from points picked at random. */
const PUSHES = 5
/** No point moves further than this at once. */
const LONGEST_STEP = 4

interface Pull {
  from: number
  to: number
  /** 0 to 1: how surely the two belong together. */
  weight: number
}

/**
 * UMAP's layout: neighbours in meaning pull each other together, everything else pushes apart, with less and less force.
 * Changes the points in place.
 */
export async function refine(points: Point[], options: RefineOptions): Promise<void> {
  const { movable, neighbours, rounds, random, turns } = options
  const mayMove = new Set(movable)
  const pulls = pullsBetween(movable, neighbours)
  for (let round = 0; round < rounds; round++) {
    const force = 1 - round / rounds
    for (const { from, to, weight } of pulls) {
      // A weak bond pulls in fewer rounds.
      if (Math.floor((round + 1) * weight) === Math.floor(round * weight)) continue
      pull(points, from, mayMove.has(to) ? to : undefined, points[to]!, force)
      for (let push = 0; push < PUSHES; push++) {
        const other = Math.floor(random() * points.length)
        if (other !== from && other !== to) pushAway(points[from]!, points[other]!, force)
      }
      if (turns.isOver) await turns.next()
    }
  }
}

function pull(points: Point[], from: number, to: number | undefined, target: Point, force: number): void {
  const point = points[from]!
  const squared = squaredDistance(point, target)
  if (squared === 0) return
  const strength = (-2 * A * B * squared ** (B - 1)) / (1 + A * squared ** B)
  for (const axis of [0, 1] as const) {
    const step = bounded(strength * (point[axis] - target[axis])) * force
    point[axis] += step
    if (to !== undefined) points[to]![axis] -= step
  }
}

function pushAway(point: Point, other: Point, force: number): void {
  const squared = squaredDistance(point, other)
  const strength = (2 * B) / ((0.001 + squared) * (1 + A * squared ** B))
  for (const axis of [0, 1] as const) {
    point[axis] += bounded(strength * (point[axis] - other[axis])) * force
  }
}

function bounded(step: number): number {
  return Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step))
}

function squaredDistance(a: Point, b: Point): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
}

/** Each pair once; a bond that both sides feel is the stronger one. */
function pullsBetween(movable: readonly number[], neighbours: readonly (readonly Neighbour[])[]): Pull[] {
  const pulls = new Map<string, Pull>()
  for (const [index, from] of movable.entries()) {
    const bonds = bondsOf(neighbours[index]!)
    for (const [place, { at: to }] of neighbours[index]!.entries()) {
      const key = from < to ? `${from} ${to}` : `${to} ${from}`
      const known = pulls.get(key)
      const weight = bonds[place]!
      if (known) known.weight += weight - known.weight * weight
      else pulls.set(key, { from, to, weight })
    }
  }
  return [...pulls.values()]
}

/**
 * How strongly each neighbour is bound: the nearest fully, the others by how much further they are, on a scale on which
 * all together are worth log2 of their number. So crowded and lonely corners are drawn alike.
 */
function bondsOf(neighbours: readonly Neighbour[]): number[] {
  const nearestDistance = neighbours[0]?.distance ?? 0
  const beyond = neighbours.map(({ distance }) => distance - nearestDistance)
  const wanted = Math.log2(Math.max(2, neighbours.length))
  let [low, high] = [1e-4, 4]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    const sum = beyond.reduce((total, distance) => total + Math.exp(-distance / middle), 0)
    if (sum > wanted) high = middle
    else low = middle
  }
  return beyond.map((distance) => Math.exp(-distance / high))
}
