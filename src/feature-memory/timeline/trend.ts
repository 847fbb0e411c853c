import { OUTCOMES, type Outcome, RECORD_KINDS, type RecordKind } from '../record.ts'
import type { OutlinedIteration } from './outline.ts'

export type OutcomeCounts = Record<Outcome, number>

/** What some iterations come to. */
export interface Sums {
  iterations: number
  outcomes: OutcomeCounts
  /** Of those that said what they cost. */
  costUsd: number
  tokens: number
  durationMs: number
}

export interface FeatureTotals extends Sums {
  kinds: Record<RecordKind, number>
  /** ISO 8601; absent without iterations. */
  first?: string
  last?: string
  latestIteration?: number
  /** How many iterations say nothing of their cost. */
  withoutCost: number
  /** Of how many a draw decided whether they were given memory, and how many of those went without. */
  draws: Draws
  /** Lines of the journal that cannot be read. */
  damagedLines: number
}

export interface Draws {
  drawn: number
  without: number
}

/** A stretch of iterations that a chart shows as one. */
export interface TrendPoint extends Sums {
  /** Numbers of the first and the last iteration in it. */
  from: number
  to: number
  /** When the first began and when the last did, ISO 8601. */
  since: string
  until: string
}

export interface DayOfWork extends Sums {
  /** "2026-02-07", by Greenwich. */
  day: string
}

export interface TaskOfWork extends Sums {
  /** 0 for reviews and sessions. */
  taskId: number
  latestIteration: number
  latestOutcome: Outcome
  last: string
}

export function totalsOf(iterations: readonly OutlinedIteration[], damagedLines: number): FeatureTotals {
  const kinds = countsOf(RECORD_KINDS)
  let [first, last, latestIteration, withoutCost] = [Number.POSITIVE_INFINITY, 0, 0, 0]
  for (const { kind, time, number, costUsd } of iterations) {
    kinds[kind]++
    first = Math.min(first, time)
    last = Math.max(last, time)
    latestIteration = Math.max(latestIteration, number)
    if (costUsd === undefined) withoutCost++
  }
  return {
    ...sumsOf(iterations),
    kinds,
    withoutCost,
    draws: drawsOf(iterations),
    damagedLines,
    ...(iterations.length > 0 && { first: iso(first), last: iso(last), latestIteration }),
  }
}

function drawsOf(iterations: readonly OutlinedIteration[]): Draws {
  const drawn = iterations.filter(({ drawnOut }) => drawnOut !== undefined)
  return { drawn: drawn.length, without: drawn.filter(({ drawnOut }) => drawnOut).length }
}

/** At most so many points: with few iterations each is one, with many each stands for equally many, a round number. */
export function trendOf(iterations: readonly OutlinedIteration[], points: number): TrendPoint[] {
  const each = roundedUp(iterations.length / points)
  const stretches = Array.from({ length: Math.ceil(iterations.length / each) }, (_, at) =>
    iterations.slice(at * each, (at + 1) * each),
  )
  return stretches.map((stretch) => {
    const [first, last] = [stretch[0]!, stretch.at(-1)!]
    const [since, until] = [iso(first.time), iso(last.time)]
    return { from: first.number, to: last.number, since, until, ...sumsOf(stretch) }
  })
}

/** The days on which something was done, the oldest first; the latest so many. */
export function daysOf(iterations: readonly OutlinedIteration[], most: number): DayOfWork[] {
  const days = groupedBy(iterations, ({ time }) => Math.floor(time / DAY))
  return [...days]
    .sort(([a], [b]) => a - b)
    .slice(-most)
    .map(([day, those]) => ({ day: iso(day * DAY).slice(0, 10), ...sumsOf(those) }))
}

/** The most recently worked on first. */
export function tasksOf(iterations: readonly OutlinedIteration[]): TaskOfWork[] {
  const tasks = groupedBy(iterations, ({ taskId }) => taskId)
  return [...tasks]
    .map(([taskId, those]) => {
      const { number, outcome, time } = those.at(-1)!
      return {
        taskId,
        latestIteration: number,
        latestOutcome: outcome,
        last: iso(time),
        ...sumsOf(those),
      }
    })
    .sort((a, b) => b.latestIteration - a.latestIteration)
}

/** 1, 2, 5, 10, 20, 50 … */
function roundedUp(number: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, number)))
  return [1, 2, 5, 10].map((digit) => digit * power).find((round) => round >= number)!
}

const DAY = 24 * 60 * 60 * 1_000

function groupedBy(
  iterations: readonly OutlinedIteration[],
  key: (one: OutlinedIteration) => number,
): Map<number, OutlinedIteration[]> {
  const groups = new Map<number, OutlinedIteration[]>()
  for (const one of iterations) {
    const group = groups.get(key(one))
    if (group) group.push(one)
    else groups.set(key(one), [one])
  }
  return groups
}

function sumsOf(iterations: readonly OutlinedIteration[]): Sums {
  const sums: Sums = {
    iterations: iterations.length,
    outcomes: countsOf(OUTCOMES),
    costUsd: 0,
    tokens: 0,
    durationMs: 0,
  }
  for (const { outcome, costUsd = 0, tokens = 0, durationMs = 0 } of iterations) {
    sums.outcomes[outcome]++
    sums.costUsd += costUsd
    sums.tokens += tokens
    sums.durationMs += durationMs
  }
  return sums
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
