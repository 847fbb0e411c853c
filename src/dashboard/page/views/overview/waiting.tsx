import type { WaitingKind } from '../../../../overview/overview.ts'
import { wholeNumber } from '../../charts/numbers.ts'
import { answerOf, api } from '../../client.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { whereToSettle } from './leads.ts'

const WORDS: Record<WaitingKind, { word: string; tone: Tone }> = {
  gate: { word: 'gate', tone: 'accent' },
  conflict: { word: 'contradiction', tone: 'warn' },
  trust: { word: 'trust', tone: 'warn' },
  copy: { word: 'which project', tone: 'warn' },
  board: { word: 'board', tone: 'warn' },
  learnings: { word: 'to review', tone: 'plain' },
  due_review: { word: 'review due', tone: 'plain' },
}

const SHOWN = '8'

/** What only a person can settle, and where. */
export function Waiting() {
  const ask = (after?: string) =>
    answerOf(api.overview.waiting.$get({ query: { limit: SHOWN, ...(after && { after }) } }))
  const first = useData('overview/waiting', () => ask(), ['gates', 'board', 'settings', 'journals'])
  const { items, more, trouble } = useMore(first, ask)
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">
        Waits for you {first.data && <span class="dim">{wholeNumber(first.data.count)}</span>}
      </h2>
      <Shown loaded={first}>
        {({ count, troubles }) => (
          <>
            {troubles.map(({ part, message, hint }) => (
              <p key={part} class="trouble">
                {part}: <Remembered text={message} />
                {hint && (
                  <>
                    {' → '}
                    <Remembered text={hint} />
                  </>
                )}
              </p>
            ))}
            {count === 0 && troubles.length === 0 && (
              <p class="dim">Nothing: no gate, no contradiction, nothing to review or to trust.</p>
            )}
            {count > 0 && (
              <List
                items={items}
                label="Waits for you"
                keys={false}
                keyOf={({ kind, id, feature, about }) => [kind, id, feature, about].join(' ')}
                hrefOf={whereToSettle}
              >
                {({ kind, about, detail, feature, since }) => (
                  <span class="waiting-row">
                    <Badge tone={WORDS[kind].tone}>{WORDS[kind].word}</Badge>
                    <span>
                      <Remembered text={about} />{' '}
                      <span class="dim">
                        <Remembered text={detail} />
                      </span>
                    </span>
                    <span class="dim">
                      {feature && kind !== 'learnings' && kind !== 'due_review' && (
                        <Remembered text={feature} />
                      )}{' '}
                      {since && <Time at={since} />}
                    </span>
                  </span>
                )}
              </List>
            )}
            <More more={more} trouble={trouble} />
          </>
        )}
      </Shown>
    </section>
  )
}
