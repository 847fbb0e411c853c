import { type ChanceTable, chanceAmong } from './chance.ts'

/** With how many others the best is compared. */
const OTHERS = 5
/** How much the best counts for standing out from the others, and the others for being near the question by meaning. */
const OUTSTANDING = 1.5
const NEAR = 0.75
/** What most questions about something else stay below, in collections of so many documents. */
const EXPECTED: ChanceTable = [
  [20, 0.37],
  [1_000, 0.535],
]
/** Among few there is nothing to stand out from. */
const COUNTS: ChanceTable = [
  [8, 0],
  [20, 1],
]
/** How far a likeness is taken down or up at most: less than chance reaches anywhere, so that the order stays. */
const MOST_DOUBT = 0.19
const MOST_TRUST = 0.07
/** So far beyond chance a likeness is doubted in full, and no more; and so far it is helped. */
const DOUBTED = { full: 0.33, none: 0.5 } as const
const HELPED = 0.12

interface Found {
  meaning: number
  likeness: number
}

/**
 * What the others say of the best hit: the answer to a question stands out from them, or all of them are about its matter. Where
 * neither is so, a weak likeness is one that chance has brought. Below 0: doubt; above: trust.
 */
export function saidBySurroundings(found: readonly Found[], among: number): number {
  if (found.length <= OTHERS) return 0
  const [best = 0, ...others] = highest(found.map(({ likeness }) => likeness))
  const [, ...near] = highest(found.map(({ meaning }) => meaning))
  const said = OUTSTANDING * (best - mean(others)) + NEAR * mean(near) - chanceAmong(among, EXPECTED)
  return chanceAmong(among, COUNTS) * Math.min(MOST_TRUST, Math.max(-MOST_DOUBT, said))
}

/** A likeness near what chance reaches, as the surroundings see it. What is well beyond needs no witness; the order stays. */
export function inItsSurroundings(likeness: number, said: number, chance: number): number {
  const beyond = likeness - chance
  const open = said > 0 ? (HELPED - beyond) / HELPED : (DOUBTED.none - beyond) / (DOUBTED.none - DOUBTED.full)
  return likeness + said * Math.min(1, Math.max(0, open)) * Math.min(1, likeness / chance)
}

/** The best and the others that it is compared with. */
function highest(values: readonly number[]): number[] {
  return values.toSorted((a, b) => b - a).slice(0, OTHERS + 1)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
