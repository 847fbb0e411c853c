import { dollars } from '../text/dollars.ts'
import { plural } from '../text/plural.ts'
import { monthInWords } from './period.ts'
import type { SpendStanding, SpentOfLimit } from './report.ts'

/** What was spent, of how much, and when it begins anew: two lines for any status. */
export function spendText({ month, period, beginsAnew, workers, chat }: SpendStanding): string {
  const since = period === 'month' ? ` in ${monthInWords(month)}` : ' in all'
  const anew = beginsAnew === null ? '' : `; begins anew on ${beginsAnew.slice(0, 10)} (UTC)`
  return [
    `Spent${since} on summaries and embeddings: ${ofLimit(workers)}${workers.limitUsd === null ? '' : anew}`,
    ...(chat.spentUsd > 0 || chat.unpricedCalls > 0 || chat.limitUsd !== null
      ? [`Spent${since} on the chat: ${ofLimit(chat)}`]
      : []),
  ].join('\n')
}

function ofLimit({ spentUsd, estimatedUsd, unpricedCalls, limitUsd }: SpentOfLimit): string {
  return [
    dollars(spentUsd),
    ...(limitUsd === null ? [] : [` of at most ${dollars(limitUsd)}`]),
    ...(estimatedUsd > 0 ? [` (${dollars(estimatedUsd)} of it estimated)`] : []),
    ...(unpricedCalls > 0 ? [` and ${plural(unpricedCalls, 'call')} of unknown price`] : []),
  ].join('')
}

/** The same in one line, for a glance. */
export function spendLine({ period, beginsAnew, workers, chat }: SpendStanding): string {
  const anew = beginsAnew === null ? '' : `, anew on ${beginsAnew.slice(0, 10)}`
  const talked = chat.spentUsd > 0 || chat.limitUsd !== null ? `; the chat ${ofLimit(chat)}` : ''
  return `${ofLimit(workers)} ${period === 'month' ? 'this month' : 'in all'}${talked}${anew}`
}
