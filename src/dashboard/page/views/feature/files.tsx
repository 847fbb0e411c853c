import { FileHeat } from '../../charts/file-heat.tsx'
import { wholeNumber } from '../../charts/numbers.ts'
import { useAddress } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { featureHref, iterationHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { askAbout, journalOf } from './ask.ts'

/** Of how many iterations the picture tells unless one asks for all. */
const DRAWN = '300'

/** Which files the iterations touched, how often and when. */
export function Files({ feature }: { feature: string }) {
  const [address, change] = useAddress()
  const { named, range = DRAWN } = address
  const query = { named, last: range === 'all' ? undefined : DRAWN }
  const key = JSON.stringify(['files', feature, query])
  const first = useData(key, (signal) => askAbout(feature).files(query, signal), [journalOf(feature)])
  const { items, more, trouble } = useMore(first, (after) => askAbout(feature).files({ ...query, after }))
  const whereOf = (path: string) => (
    <a href={featureHref(feature, { file: path })} title="The iterations that touched it">
      <Remembered text={path} />
    </a>
  )
  return (
    <Shown loaded={first}>
      {({ heat, all, matching }) =>
        all === 0 ? (
          <Empty>No files touched yet. What a run reads, writes and deletes is counted here.</Empty>
        ) : (
          <>
            {heat.from !== undefined && heat.to !== undefined && (
              <FileHeat
                files={heat.files}
                from={heat.from}
                to={heat.to}
                label={({ path }) => whereOf(path)}
              />
            )}
            <div class="filters">
              <label>
                Named{' '}
                <input
                  type="search"
                  value={named ?? ''}
                  onChange={(event) => change({ named: event.currentTarget.value })}
                />
              </label>
              <label>
                Drawn above{' '}
                <select
                  value={range}
                  onChange={({ currentTarget: { value } }) => change({ range: value === DRAWN ? '' : value })}
                >
                  <option value={DRAWN}>the last {DRAWN} iterations</option>
                  <option value="all">all iterations</option>
                </select>
              </label>
            </div>
            <p class="dim" role="status">
              {named ? `${wholeNumber(matching)} of ` : ''}
              {wholeNumber(all)} files, the most touched first
            </p>
            <table class="files">
              <thead>
                <tr>
                  <th scope="col">File</th>
                  <th scope="col" class="number">
                    Touched
                  </th>
                  <th scope="col">Last</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ path, touches, lastAction, lastIteration }) => (
                  <tr key={path}>
                    <th scope="row">{whereOf(path)}</th>
                    <td class="number">{wholeNumber(touches)}</td>
                    <td>
                      {lastAction} in <a href={iterationHref(feature, lastIteration)}>{lastIteration}</a>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <More more={more} trouble={trouble} />
          </>
        )
      }
    </Shown>
  )
}
