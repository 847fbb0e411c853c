import { RalphError } from '../errors.ts'
import type { Purpose } from '../services/paid-calls.ts'
import { dollars } from '../text/dollars.ts'
import { monthInWords, monthOf, nextMonth, type SpendPeriod } from './period.ts'

/** Dollars; undefined is no limit. */
export interface SpendLimits {
  period: SpendPeriod
  /** Of what runs by itself: summaries and embeddings together. */
  workersUsd?: number | undefined
  /** Of the chat, where a person sees what is asked. */
  chatUsd?: number | undefined
}

/** Whose limit a call counts against. */
export interface Budget {
  setting: string
  limitUsd: number | undefined
  purposes: readonly Purpose[]
}

export function budgetsOf({ workersUsd, chatUsd }: SpendLimits): { workers: Budget; chat: Budget } {
  return {
    workers: {
      setting: 'language_model.max_spend',
      limitUsd: workersUsd,
      purposes: ['summaries', 'embedding'],
    },
    chat: { setting: 'language_model.chat_max_spend', limitUsd: chatUsd, purposes: ['chat'] },
  }
}

export function limitReached(
  { setting, limitUsd = 0 }: Budget,
  { period }: SpendLimits,
  { spentUsd, worstUsd, now }: { spentUsd: number; worstUsd: number; now: Date },
): RalphError {
  const ofWhat = period === 'month' ? ` for ${monthInWords(monthOf(now))}` : ''
  const anew =
    period === 'month' ? `It begins anew on ${nextMonth(now).toISOString().slice(0, 10)} (UTC). ` : ''
  const name = setting.slice(setting.indexOf('.') + 1)
  return new RalphError(
    'limit_reached',
    `${name} of ${dollars(limitUsd)}${ofWhat} is reached: ${dollars(spentUsd)} are spent or set aside, and the next call may cost ${dollars(worstUsd)}`,
    { hint: `${anew}To go on now: ralph config set ${setting} ${raised(limitUsd, spentUsd + worstUsd)}` },
  )
}

/** Twice the limit, or enough for the next call in any case. */
function raised(limitUsd: number, neededUsd: number): number {
  const cents = Math.ceil(Number((neededUsd * 100).toFixed(6)))
  return Number(Math.max(2 * limitUsd, cents / 100).toFixed(4))
}

export function unpriced(setting: string, model: string, hint: string): RalphError {
  const name = setting.slice(setting.indexOf('.') + 1)
  return new RalphError(
    'limit_reached',
    `the price of ${model} is not known, so ${name} cannot be kept and nothing is asked of it`,
    { hint },
  )
}
