import { binned } from './bins.ts'
import { mostColumns } from './columns.tsx'
import { everyDay, spanOf } from './days.ts'
import { wholeNumber } from './numbers.ts'
import { OUTCOME_LOOKS, type OutcomeCounts, outcomeWords } from './outcome-look.ts'
import { OutcomeStacks, outcomeColumn } from './outcome-stacks.tsx'
import { useWidth } from './use-width.ts'

export interface ActiveDay {
  /** 2026-11-17 */
  day: string
  counts: OutcomeCounts
}

/** How much was done on which day, and how it came out; days on which nothing happened are days too. */
export function ActivityChart({ days }: { days: readonly ActiveDay[] }) {
  const { place, width } = useWidth()
  const groups = binned(
    everyDay(days, (day) => ({ day, counts: {} })),
    mostColumns(width),
  )
  const together = groups[0]?.length ?? 1
  return (
    <OutcomeStacks
      title="Activity per day"
      description={`${outcomeWords(sum(days))} on ${wholeNumber(days.length)} days${together > 1 ? `; each column is ${together} days` : ''}.`}
      heading="Day"
      columns={groups.map((group) => {
        return outcomeColumn(spanOf(group), spanOf(group.slice(0, 1)), sum(group))
      })}
      empty="No activity yet. Each run of an agent counts on its day."
      place={place}
      width={width}
    />
  )
}

function sum(days: readonly ActiveDay[]): OutcomeCounts {
  return Object.fromEntries(
    OUTCOME_LOOKS.map(({ outcome }) => [
      outcome,
      days.reduce((total, { counts }) => total + (counts[outcome] ?? 0), 0),
    ]),
  )
}
