import { percent, wholeNumber } from '../../charts/numbers.ts'
import { ToldChart } from '../../charts/told-chart.tsx'
import { groupByTold } from '../../charts/told-groups.ts'
import { answerOf, api } from '../../client.ts'
import { type Loaded, useData } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'

const ask = () => answerOf(api.overview.told.$get())
export type ToldTotals = Awaited<ReturnType<typeof ask>>

export function useTold(): Loaded<ToldTotals> {
  return useData('overview/told', ask, ['receipts'])
}

/** What memory told the agents, how much of it they used, and how they ended. */
export function Told({ loaded }: { loaded: Loaded<ToldTotals> }) {
  return (
    <section aria-labelledby="told">
      <h2 id="told">What memory told</h2>
      <Shown loaded={loaded}>
        {({ told, used, judged, kinds, runs }) =>
          told === 0 ? (
            <Empty command="ralph hooks install">
              Nothing yet. The loop, the hooks and the MCP server tell agents what they remember, and each
              time leaves a receipt.
            </Empty>
          ) : (
            <>
              <p>
                <strong>{wholeNumber(told)}</strong> pieces of memory told. Of{' '}
                <strong>{wholeNumber(judged)}</strong> whose run has ended,{' '}
                <strong>{percent(used, judged)}</strong> left a trace in what it said or did.{' '}
                <a href="/receipts">Receipts</a>
              </p>
              <div class="told-both">
                <ToldChart
                  groups={groupByTold(
                    runs
                      .filter(({ outcome }) => outcome !== undefined)
                      .map((run) => ({ ...run, succeeded: run.outcome === 'success' })),
                  )}
                />
                <table class="told-kinds">
                  <caption class="unseen-label">By kind of memory</caption>
                  <thead>
                    <tr>
                      <th scope="col">Kind</th>
                      <th scope="col" class="number">
                        told
                      </th>
                      <th scope="col" class="number">
                        used
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {kinds.slice(0, 8).map((kind) => (
                      <tr key={kind.kind}>
                        <th scope="row">
                          <Remembered text={kind.kind.replaceAll('_', ' ')} />
                        </th>
                        <td class="number">{wholeNumber(kind.told)}</td>
                        <td class="number">{percent(kind.used, kind.judged)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </Shown>
    </section>
  )
}
