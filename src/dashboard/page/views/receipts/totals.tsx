import { percent, wholeNumber } from '../../charts/numbers.ts'
import { ToldChart } from '../../charts/told-chart.tsx'
import { groupByTold } from '../../charts/told-groups.ts'
import { answerOf, api } from '../../client.ts'
import { OUTCOMES, OutcomeBadge } from '../../kit/badge.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { kindWords } from './kind-words.ts'
import type { ReceiptsAsked } from './receipt-filters.tsx'

export function askTotals(asked: ReceiptsAsked) {
  return answerOf(api.receipts.totals.$get({ query: asked }))
}

/** Told → used → outcome, over all receipts that are wanted. */
export function Totals({ totals }: { totals: Awaited<ReturnType<typeof askTotals>> }) {
  const { receipts, told, used, judged, kinds, runs } = totals
  if (receipts === 0) return null
  const ended = runs.filter(({ outcome }) => outcome !== undefined)
  return (
    <>
      <p class="facts">
        <span>
          <strong>{wholeNumber(receipts)}</strong> receipts
        </span>
        <span>
          <strong>{wholeNumber(told)}</strong> memories told
        </span>
        <span title="Of those whose run has ended; a trace is a file that was touched or a telling word that turned up again">
          <strong>{percent(used, judged)}</strong> left a trace
        </span>
      </p>
      <div class="receipt-totals">
        <div>
          <table>
            <thead>
              <tr>
                <th scope="col">Told</th>
                <th scope="col" class="number">
                  times
                </th>
                <th scope="col" class="number">
                  used
                </th>
                <th scope="col">its runs ended</th>
              </tr>
            </thead>
            <tbody>
              {kinds.map((kind) => (
                <tr key={kind.kind}>
                  <th scope="row">
                    <Remembered text={kindWords(kind.kind)} />
                  </th>
                  <td class="number">{wholeNumber(kind.told)}</td>
                  <td class="number receipt-used">
                    {kind.judged === 0 ? (
                      <span class="dim">not judged yet</span>
                    ) : (
                      `${wholeNumber(kind.used)} of ${wholeNumber(kind.judged)}`
                    )}
                  </td>
                  <td>
                    <span class="receipt-outcomes">
                      {inOrder(kind.outcomes).map(([outcome, count]) => (
                        <span key={outcome}>
                          <OutcomeBadge outcome={outcome} /> {wholeNumber(count)}
                        </span>
                      ))}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <ToldChart
          groups={groupByTold(
            ended.map(({ told, used, outcome }) => ({ told, used, succeeded: outcome === 'success' })),
          )}
        />
      </div>
    </>
  )
}

/** As outcomes are always named; what is not known comes last. */
function inOrder(outcomes: Readonly<Record<string, number>>): [string, number][] {
  const known = Object.keys(OUTCOMES)
  const place = (outcome: string) => (known.includes(outcome) ? known.indexOf(outcome) : known.length)
  return Object.entries(outcomes).sort(([a], [b]) => place(a) - place(b))
}
