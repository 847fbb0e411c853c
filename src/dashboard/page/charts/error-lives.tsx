import type { ComponentChildren } from 'preact'
import type { LedgerEntry } from '../../../feature-memory/ledger/ledger.ts'
import { Chart } from './chart.tsx'
import { type LanePlace, Lanes } from './lanes.tsx'
import { type LifeEvent, lifeOf, lifeWords, type Stretch } from './life.ts'

/** What of an error's entry in the ledger its line needs. */
export type LivedError = Pick<LedgerEntry, 'id' | 'message' | 'life' | 'times' | 'filePath'> & {
  sightings: readonly Pick<LedgerEntry['sightings'][number], 'iteration'>[]
  solutions: readonly Pick<LedgerEntry['solutions'][number], 'iteration' | 'cameBackIn'>[]
}

interface LivesProps {
  /** As they are to be listed. */
  errors: readonly LivedError[]
  /** The last iteration of the feature: open errors reach it. */
  latest: number
  /** How the error is named and where it leads: text from memory, shown by the caller's own component. */
  label: (error: LivedError) => ComponentChildren
  most?: number
}

/** When each error was first seen, met again, solved, and came back. */
export function ErrorLives({ errors, latest, label, most = 30 }: LivesProps) {
  const shown = errors.slice(0, most)
  const from = Math.min(
    latest,
    ...shown.flatMap(({ sightings }) => sightings.map(({ iteration }) => iteration)),
  )
  const left = errors.length - shown.length
  return (
    <Chart
      title="Life lines of errors"
      description={`${errors.length} errors${left > 0 ? `, the first ${shown.length} drawn` : ''}. A line runs while an error is there, and ends where a check showed it solved.`}
      empty="No errors met yet."
      legend={<LifeLegend />}
      table={{
        columns: ['Error', 'First seen', 'Times', 'Solved in', 'Came back in', 'Now'],
        rows: errors.map((error) => [
          error.message,
          error.sightings[0]?.iteration ?? '–',
          error.times,
          error.solutions.map(({ iteration }) => iteration).join(', ') || '–',
          error.solutions.flatMap(({ cameBackIn }) => cameBackIn ?? []).join(', ') || '–',
          error.life.replaceAll('_', ' '),
        ]),
      }}
    >
      <Lanes
        lanes={shown.map((error) => ({ id: error.id, label: label(error), told: lifeWords(error), error }))}
        from={from}
        to={latest}
        draw={({ error }, place) => <LifeLine error={error} latest={latest} place={place} />}
      />
    </Chart>
  )
}

function LifeLine({
  error,
  latest,
  place: { x, height },
}: {
  error: LivedError
  latest: number
  place: LanePlace
}) {
  const { stretches, events } = lifeOf(error, latest)
  const middle = height / 2
  const path = ({ from, to }: Stretch) => `M${x(from)},${middle}H${x(to)}`
  return (
    <>
      {stretches.map((stretch) => (
        <path
          key={stretch.from}
          class={`life-line life-${stretch.certain ? 'certain' : 'unsure'}`}
          d={path(stretch)}
        />
      ))}
      {events.map((event) => (
        <EventSign key={`${event.kind}${event.iteration}`} {...event} x={x(event.iteration)} y={middle} />
      ))}
    </>
  )
}

const SIGNS: Record<LifeEvent['kind'], { d: string; word: string }> = {
  first: { d: 'M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0', word: 'first seen' },
  again: { d: 'M-1.5,-4h3v8h-3z', word: 'met again' },
  solved: { d: 'M0,-6L6,0L0,6L-6,0Z', word: 'solved' },
  back: { d: 'M0,-6L6,5H-6Z', word: 'came back' },
}

function EventSign({ kind, x, y, iteration }: LifeEvent & { x: number; y: number }) {
  return (
    <path class={`life-sign life-${kind}`} d={SIGNS[kind].d} transform={`translate(${x},${y})`}>
      <title>
        iteration {iteration}: {SIGNS[kind].word}
      </title>
    </path>
  )
}

function LifeLegend() {
  return (
    <ul class="chart-legend">
      {Object.entries(SIGNS).map(([kind, { d, word }]) => (
        <li key={kind}>
          <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
            <path class={`life-sign life-${kind}`} d={d} />
          </svg>
          <span>{word}</span>
        </li>
      ))}
    </ul>
  )
}
