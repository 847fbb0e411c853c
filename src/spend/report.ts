import type { Purpose } from '../services/paid-calls.ts'
import type { SpendRow } from '../storage/tables.ts'
import type { Ledger } from './ledger.ts'
import { type Budget, budgetsOf, type SpendLimits } from './limits.ts'
import { monthOf, nextMonth, type SpendPeriod } from './period.ts'

/** What was spent on one thing with one model. */
export interface SpendLine {
  /** "2026-11", or "earlier" for what was spent before months were counted. */
  month: string
  purpose: Purpose
  model: string
  calls: number
  inputTokens: number
  outputTokens: number
  usd: number
  /** Of `usd`: what the service did not tell, and calls that were never brought to an end. */
  estimatedUsd: number
  /** Calls whose price is not known; their cost is not in `usd`. */
  unpricedCalls: number
}

/** Spent in the period of the limit, of how much. */
export interface SpentOfLimit {
  spentUsd: number
  estimatedUsd: number
  unpricedCalls: number
  limitUsd: number | null
}

export interface SpendReport extends SpendStanding {
  /** Of the period, by purpose and model. */
  lines: SpendLine[]
}

/** How much of the limits is used. */
export interface SpendStanding {
  month: string
  period: SpendPeriod
  /** When the limits begin anew; null where they never do. */
  beginsAnew: string | null
  /** Summaries and embeddings, which share `max_spend`. */
  workers: SpentOfLimit
  chat: SpentOfLimit
}

export async function spendReport(ledger: Ledger): Promise<SpendReport> {
  const { now, limits } = ledger
  const lines = ofPeriod(await spendLines(ledger), limits, now)
  return { ...spendStanding(lines, limits, now), lines }
}

type Spent = Pick<SpendLine, 'month' | 'purpose' | 'usd' | 'estimatedUsd' | 'unpricedCalls'>

/** Of what was ever spent, what counts now. */
export function spendStanding(spent: readonly Spent[], limits: SpendLimits, now: Date): SpendStanding {
  const counting = ofPeriod(spent, limits, now)
  const { workers, chat } = budgetsOf(limits)
  return {
    month: monthOf(now),
    period: limits.period,
    beginsAnew: limits.period === 'month' ? nextMonth(now).toISOString() : null,
    workers: spentOf(workers, counting),
    chat: spentOf(chat, counting),
  }
}

function ofPeriod<Line extends Spent>(spent: readonly Line[], { period }: SpendLimits, now: Date): Line[] {
  return spent.filter(({ month }) => period === 'total' || month === monthOf(now))
}

/** All months, the latest first. */
export async function spendLines(ledger: Ledger): Promise<SpendLine[]> {
  return (await ledger.rows()).filter(({ calls, usd }) => calls > 0 || usd > 0).map(toLine)
}

function spentOf({ purposes, limitUsd }: Budget, lines: readonly Spent[]): SpentOfLimit {
  const mine = lines.filter(({ purpose }) => purposes.includes(purpose))
  const sum = (of: (line: Spent) => number) => mine.reduce((all, line) => all + of(line), 0)
  return {
    spentUsd: sum(({ usd }) => usd),
    estimatedUsd: sum(({ estimatedUsd }) => estimatedUsd),
    unpricedCalls: sum(({ unpricedCalls }) => unpricedCalls),
    limitUsd: limitUsd ?? null,
  }
}

/** Sums of what was added and taken away again differ from nothing by less than anybody pays. */
function toLine(row: SpendRow): SpendLine {
  return {
    month: row.month,
    purpose: row.purpose,
    model: row.model,
    calls: row.calls,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    usd: rounded(row.usd),
    estimatedUsd: rounded(row.estimated_usd),
    unpricedCalls: row.unpriced_calls,
  }
}

function rounded(usd: number): number {
  return Math.max(0, Math.round(usd * 1e12) / 1e12)
}
