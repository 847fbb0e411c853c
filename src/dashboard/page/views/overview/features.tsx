import { dollars, percent, wholeNumber } from '../../charts/numbers.ts'
import { OutcomeStrip } from '../../charts/strip.tsx'
import { Badge } from '../../kit/badge.tsx'
import { List } from '../../kit/list.tsx'
import { featureHref } from '../../kit/memory-address.ts'
import { More } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import type { ShownFeature, ShownWork } from './work.ts'

/** One row for each feature: how it goes, what it took, when somebody last worked on it. */
export function Features({ work: { data, items, more, trouble } }: { work: ShownWork }) {
  return (
    <section aria-labelledby="features">
      <h2 id="features">
        Features <span class="dim">{wholeNumber(data.featureCount)}</span>
      </h2>
      {data.boardTrouble && (
        <p class="trouble">
          The board cannot be read: <Remembered text={data.boardTrouble} /> → <a href="/doctor">Doctor</a>
        </p>
      )}
      {items.length === 0 ? (
        <Empty command="ralph feature add NAME">
          No features yet. A feature is what is built; each run of an agent is remembered under one.
        </Empty>
      ) : (
        <List
          items={items}
          label="Features"
          keys={false}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => featureHref(name)}
        >
          {(feature) => <Feature feature={feature} />}
        </List>
      )}
      <More more={more} trouble={trouble} />
    </section>
  )
}

function Feature({ feature }: { feature: ShownFeature }) {
  const { name, displayName, onBoard, tasks, totals, outcomes, counting, trouble } = feature
  const ended = totals.iterations - totals.outcomes.rate_limited
  return (
    <span class="feature-row">
      <span class="feature-name">
        <Remembered text={displayName ?? name} />
        {displayName && (
          <span class="dim">
            {' '}
            <Remembered text={name} />
          </span>
        )}{' '}
        {!onBoard && <Badge title="It has a journal, and no entry in features.yaml">not on the board</Badge>}
        {totals.damagedLines > 0 && (
          <Badge tone="bad">{wholeNumber(totals.damagedLines)} damaged lines</Badge>
        )}
      </span>
      {trouble ? (
        <span class="feature-wide">
          <Badge tone="bad">cannot be read</Badge> <Remembered text={trouble} />
        </span>
      ) : counting ? (
        <span class="dim feature-wide" role="status">
          counting…
        </span>
      ) : (
        <>
          <span class="feature-strip">
            <OutcomeStrip outcomes={outcomes} />
          </span>
          <span class="number">
            {totals.iterations > 0 &&
              `${percent(totals.outcomes.success, ended)} of ${wholeNumber(totals.iterations)}`}
          </span>
        </>
      )}
      <span class="number dim">{tasksText(tasks)}</span>
      <span class="number dim">{totals.costUsd > 0 ? dollars(totals.costUsd) : ''}</span>
      <span class="number dim">{totals.last ? <Time at={totals.last} /> : ''}</span>
    </span>
  )
}

function tasksText({ done, open }: { done: number; open: number }): string {
  return done + open === 0 ? '' : `${wholeNumber(done)}/${wholeNumber(done + open)} tasks`
}
