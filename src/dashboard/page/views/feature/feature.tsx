import { useRoute } from 'preact-iso'
import { dollars, percent, shortNumber, wholeNumber } from '../../charts/numbers.ts'
import { useAddressPart } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { featureHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { useTitle } from '../../kit/title.ts'
import { askAbout, journalOf } from './ask.ts'
import { Errors } from './errors.tsx'
import { Files } from './files.tsx'
import { Learnings } from './learnings.tsx'
import { Tasks } from './tasks.tsx'
import { Timeline } from './timeline.tsx'
import './feature.css'

const PARTS = { timeline: Timeline, errors: Errors, files: Files, learnings: Learnings, tasks: Tasks }

/** One feature: what was done on it, what stood in the way, what it taught. */
export default function Feature() {
  const feature = useRoute().params['feature'] ?? ''
  useTitle(feature)
  const [tab] = useAddressPart('tab', 'timeline')
  const parts = ['board', journalOf(feature)] as const
  const head = useData(`feature ${feature}`, (signal) => askAbout(feature).head(signal), parts)
  const Part = PARTS[tab as keyof typeof PARTS] ?? Timeline
  const { data } = head
  return (
    <>
      <h1>
        <Remembered text={data?.displayName ?? feature} />{' '}
        {data?.displayName !== undefined && (
          <small class="dim">
            <Remembered text={feature} />
          </small>
        )}{' '}
        {data?.onBoard === false && (
          <Badge title="It has a journal, and nobody has described it">not on the board</Badge>
        )}
      </h1>
      <Shown loaded={head}>{(known) => <About feature={feature} {...known} />}</Shown>
      {/* Where only the board cannot be read, what the journal tells is there all the same. */}
      {head.trouble?.status !== 404 && (
        <>
          <Totals feature={feature} />
          <Tabs
            label="Parts of the feature"
            tabs={[
              { id: 'timeline', title: 'Timeline' },
              { id: 'errors', title: 'Errors' },
              { id: 'files', title: 'Files' },
              { id: 'learnings', title: 'Learnings', count: data?.learnings.all },
              { id: 'tasks', title: 'Tasks', count: data?.tasks },
            ]}
          />
          <Part feature={feature} />
        </>
      )}
    </>
  )
}

function Totals({ feature }: { feature: string }) {
  const loaded = useData(`totals ${feature}`, (signal) => askAbout(feature).trend({ last: '1' }, signal), [
    journalOf(feature),
  ])
  if (loaded.loading) return <p class="facts">Counting…</p>
  return (
    <Shown loaded={loaded}>
      {({ totals: { iterations, outcomes, costUsd, tokens, last, withoutCost, damagedLines } }) => (
        <p class="facts">
          <span>
            <strong>{wholeNumber(iterations)}</strong> {iterations === 1 ? 'iteration' : 'iterations'}
          </span>
          {iterations > 0 && (
            <>
              <span>
                <strong>{percent(outcomes.success, iterations)}</strong> succeeded
              </span>
              <span
                title={withoutCost > 0 ? `${wholeNumber(withoutCost)} say nothing of their cost` : undefined}
              >
                <strong>{dollars(costUsd)}</strong>
                {withoutCost > 0 && withoutCost < iterations ? ' at least' : ''}
              </span>
              <span>
                <strong>{shortNumber(tokens)}</strong> tokens
              </span>
              <span>
                last <Time at={last} />
              </span>
            </>
          )}
          {damagedLines > 0 && (
            <Badge tone="warn" title={`ralph memory verify --feature ${feature}`}>
              {wholeNumber(damagedLines)} damaged {damagedLines === 1 ? 'line' : 'lines'} in the journal
            </Badge>
          )}
        </p>
      )}
    </Shown>
  )
}

interface AboutProps {
  feature: string
  currentState: string
  learnings: { waiting: number }
  description?: string | undefined
  architecture?: string | undefined
  boundaries?: string | undefined
}

function About({ feature, currentState, learnings: { waiting }, ...about }: AboutProps) {
  const told = [
    ['Description', about.description],
    ['Architecture', about.architecture],
    ['Boundaries', about.boundaries],
  ].filter((one): one is [string, string] => Boolean(one[1]))
  return (
    <>
      {currentState && (
        <p>
          <Remembered text={currentState} />
        </p>
      )}
      {waiting > 0 && (
        <p>
          <a href={featureHref(feature, { tab: 'learnings' })}>
            {waiting === 1 ? 'A learning waits' : `${waiting} learnings wait`} for you
          </a>
        </p>
      )}
      {told.length > 0 && (
        <details class="about">
          <summary>About this feature</summary>
          <dl>
            {told.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Remembered text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}
