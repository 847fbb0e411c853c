import type { ToldGroup } from './told-chart.tsx'

/** One run: what it was told and how it came out. */
export interface ToldRun {
  told: number
  used: number
  succeeded: boolean
}

const BOUNDS = [
  { name: 'nothing', most: 0 },
  { name: '1 to 3 memories', most: 3 },
  { name: '4 to 9 memories', most: 9 },
  { name: '10 memories and more', most: Number.POSITIVE_INFINITY },
]

/** Runs by how much they were told; groups without runs are left out. */
export function groupByTold(runs: Iterable<ToldRun>): ToldGroup[] {
  const groups = BOUNDS.map(({ name, most }) => ({ name, most, runs: 0, succeeded: 0, told: 0, used: 0 }))
  for (const { told, used, succeeded } of runs) {
    const group = groups.find(({ most }) => told <= most)!
    group.runs += 1
    group.succeeded += succeeded ? 1 : 0
    group.told += told
    group.used += used
  }
  return groups.filter((group) => group.runs > 0).map(({ most: _, ...group }) => group)
}
