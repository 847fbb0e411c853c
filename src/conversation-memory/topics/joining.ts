import type { Group, Nearness } from './nearness.ts'

export interface Joining {
  /** Groups that are nearer than this become one. */
  threshold: number
  /** Two that have both been topics before have to be so much nearer. */
  reluctance: number
  /** How many of the first are topics that there were before. */
  kept: number
  signal?: AbortSignal | undefined
}

/**
 * Joins the two nearest groups for as long as any are near enough (agglomerative, by the mean over all pairs). By chains of nearest
 * neighbours, which gives the same as always looking for the nearest pair of all, in quadratic time.
 */
export function joinNearest(nearness: Nearness, groups: readonly Group[], options: Joining): Group[] {
  const { threshold, kept, reluctance, signal } = options
  const count = groups.length
  const near = nearness.amongst(groups, signal)
  // Both have been topics before.
  for (let a = 0; a < kept; a++) for (let b = 0; b < kept; b++) near[a * count + b]! -= reluctance
  const sizes = groups.map(({ members }) => members.length)
  const into = groups.map(({ members }) => [...members])
  const open = new Set(groups.keys())
  const done: number[][] = []
  const chain: number[] = []
  while (open.size > 0) {
    if (chain.length === 0) chain.push(open.values().next().value!)
    const at = chain.at(-1)!
    const before = chain.at(-2)
    const best = nearest(at, near, count, open, before)
    if (best === undefined || near[at * count + best]! < threshold) {
      // Nothing is near enough to it, nor will anything be: means only become smaller.
      open.delete(at)
      done.push(into[at]!)
      chain.pop()
    } else if (best === before) {
      chain.length -= 2
      merge(best, at)
    } else chain.push(best)
  }
  return done.map((members) => nearness.group(members.sort((a, b) => a - b)))

  function merge(first: number, second: number): void {
    const [a, b] = first < second ? [first, second] : [second, first]
    open.delete(b)
    const whole = sizes[a]! + sizes[b]!
    for (const other of open) {
      if (other === a) continue
      const value = (sizes[a]! * near[a * count + other]! + sizes[b]! * near[b * count + other]!) / whole
      near[a * count + other] = value
      near[other * count + a] = value
    }
    sizes[a] = whole
    into[a]!.push(...into[b]!)
  }
}

/** The one before, when it is as near as any: so that chains end. */
function nearest(
  at: number,
  near: Float32Array,
  count: number,
  open: ReadonlySet<number>,
  before: number | undefined,
): number | undefined {
  let best = before
  let most = before === undefined ? Number.NEGATIVE_INFINITY : near[at * count + before]!
  for (const other of open) {
    if (other === at) continue
    const value = near[at * count + other]!
    if (value > most) {
      most = value
      best = other
    }
  }
  return best
}
