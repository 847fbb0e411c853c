import type { EffectReport, MeasuredEffect } from '../../../../effect/report.ts'
import {
  basisSentence,
  drawsSentence,
  lookedUpSentence,
  MEASURE_NAMES,
  valueWords,
  WAYS_TO_FIND_OUT,
} from '../../../../effect/words.ts'
import { Rows } from '../../charts/chart.tsx'
import { EffectChart } from '../../charts/effect-chart.tsx'
import { wholeNumber } from '../../charts/numbers.ts'
import { answerOf, api } from '../../client.ts'
import { useAddress } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { Pieces } from './pieces.tsx'
import './effect.css'

const ask = (feature: string | undefined) =>
  answerOf(api.effect.$get({ query: feature === undefined ? {} : { feature } }))

/** Whether memory makes a difference here, and how sure that is. */
export default function EffectView() {
  const [parts, change] = useAddress()
  const feature = parts['feature'] || undefined
  const loaded = useData(`effect?${feature ?? ''}`, () => ask(feature), ['journals', 'receipts', 'settings'])
  return (
    <>
      <h1>Effect</h1>
      <p class="dim">
        Whether memory helps in this project: runs with it against runs that were drawn to go without.
      </p>
      <Shown loaded={loaded}>
        {({ features, ...report }) => (
          <>
            <FeatureChoice features={features} chosen={feature} change={change} />
            <Answer report={report} />
            <Pieces pieces={report.pieces} />
            <NotDrawn notDrawn={report.notDrawn} />
          </>
        )}
      </Shown>
    </>
  )
}

function FeatureChoice({
  features,
  chosen,
  change,
}: {
  features: readonly string[]
  chosen: string | undefined
  change: (changes: Record<string, string>) => void
}) {
  const all = [...new Set([...(chosen ? [chosen] : []), ...features])].sort()
  return (
    <div class="filters">
      <label>
        Feature{' '}
        <select
          value={chosen ?? ''}
          onChange={({ currentTarget }) => change({ feature: currentTarget.value })}
        >
          <option value="">all</option>
          {all.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Answer({ report }: { report: EffectReport }) {
  const { headline, measures, runs, holdout } = report
  const isCompared = runs.told + runs.withheld > 0
  return (
    <>
      <p class="effect-headline">{headline}</p>
      {isCompared && <EffectChart measures={measures} />}
      {isCompared && <Basis report={report} />}
      {holdout === 0 && (
        <Empty command="ralph config set loop.holdout 0.1">
          {isCompared
            ? 'No more runs are drawn. To go on, let some go without memory. '
            : 'To find out, let some runs go without memory. '}
          {WAYS_TO_FIND_OUT.join(' ')}
        </Empty>
      )}
    </>
  )
}

function Basis({ report: { runs, draws } }: { report: EffectReport }) {
  const sentences = [basisSentence(runs), lookedUpSentence(runs), drawsSentence(draws)]
  return <p class="dim">{sentences.filter(Boolean).join(' ')}</p>
}

function NotDrawn({ notDrawn }: { notDrawn: EffectReport['notDrawn'] }) {
  const { given, notGiven, unknown, why } = notDrawn
  if (given.runs + notGiven.runs === 0) return null
  return (
    <section>
      <h2>Not drawn: a description, no effect</h2>
      <p class="dim">{why}</p>
      <Rows
        title="Runs that nobody drew"
        table={{
          columns: ['Runs that nobody drew', 'With memory', 'Without'],
          rows: [
            ['runs', wholeNumber(given.runs), wholeNumber(notGiven.runs)],
            ...MEASURES.map((measure) => [
              MEASURE_NAMES[measure],
              ...[given, notGiven].map((arm) => shown(measure, arm[measure].value)),
            ]),
          ],
        }}
      />
      {unknown > 0 && <p class="dim">Of {wholeNumber(unknown)} older runs nobody knows.</p>}
    </section>
  )
}

const MEASURES = Object.keys(MEASURE_NAMES) as MeasuredEffect['measure'][]

function shown(measure: MeasuredEffect['measure'], value: number | undefined): string {
  return value === undefined ? '–' : valueWords(measure, value)
}
