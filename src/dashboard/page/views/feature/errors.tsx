import { ErrorLives } from '../../charts/error-lives.tsx'
import { useAddress } from '../../kit/address.ts'
import { useAgain } from '../../kit/again.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { featureHref, iterationHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { askAbout, journalOf, type LedgerLine } from './ask.ts'

type Life = LedgerLine['life']

const LIVES: Record<Life, { tone: Tone; sign: string; word: string }> = {
  came_back: { tone: 'bad', sign: '↻', word: 'came back' },
  open: { tone: 'bad', sign: '✗', word: 'open' },
  not_seen_since: { tone: 'warn', sign: '·', word: 'not seen since' },
  solved: { tone: 'good', sign: '✓', word: 'solved' },
}

export function LifeBadge({ life }: { life: Life }) {
  const { tone, sign, word } = LIVES[life]
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {word}
    </Badge>
  )
}

/** Every error that runs met, with its life: told by checks, not by anybody's word. */
export function Errors({ feature }: { feature: string }) {
  const [address, change] = useAddress()
  const { life, error } = address
  const query = { life, error }
  const key = JSON.stringify(['errors', feature, query])
  const first = useData(key, (signal) => askAbout(feature).errors(query, signal), [journalOf(feature)])
  const { items, more, trouble } = useMore(first, (after) => askAbout(feature).errors({ ...query, after }))
  const counting = first.data?.counting ?? false
  useAgain(counting, first)
  if (counting)
    return <p role="status">The journal is being read for its errors, which takes a while once…</p>
  return (
    <Shown loaded={first}>
      {({ counts, latest }) => (
        <>
          <fieldset class="filters choices">
            <legend class="unseen-label">Life</legend>
            {counts.map(({ life: name, count }) => (
              <button
                key={name}
                type="button"
                aria-pressed={life === name}
                disabled={count === 0 && life !== name}
                onClick={() => change({ life: life === name ? '' : name, error: '' })}
              >
                {LIVES[name].sign} {LIVES[name].word} <span class="count">{count}</span>
              </button>
            ))}
            {error !== undefined && (
              <button type="button" class="taken" onClick={() => change({ error: '' })}>
                only error {error} <span aria-hidden="true">×</span>
              </button>
            )}
          </fieldset>
          {items.length === 0 ? (
            <Nothing filtered={life !== undefined || error !== undefined} feature={feature} />
          ) : (
            <>
              <ErrorLives
                errors={items}
                latest={latest}
                label={({ id, message }) => (
                  <a href={featureHref(feature, { tab: 'errors', error: id })}>
                    <Remembered text={firstLine(message)} />
                  </a>
                )}
              />
              <h2>One by one</h2>
              <List items={items} label="Errors" keyOf={({ id }) => id}>
                {(line) => <ErrorStory feature={feature} line={line} />}
              </List>
              <More more={more} trouble={trouble} />
            </>
          )}
        </>
      )}
    </Shown>
  )
}

function Nothing({ feature, filtered }: { feature: string; filtered: boolean }) {
  return filtered ? (
    <Empty>
      No error is like that. <a href={featureHref(feature, { tab: 'errors' })}>Show all</a>
    </Empty>
  ) : (
    <Empty>
      No errors met so far. What tests, builds and other commands report in a run turns up here, with what
      became of it.
    </Empty>
  )
}

function ErrorStory({ feature, line }: { feature: string; line: LedgerLine }) {
  const { id, message, life, type, filePath, line: at, sightings, times, check, solutions } = line
  const [first, last] = [sightings[0]!, sightings.at(-1)!]
  const link = (iteration: number) => <a href={iterationHref(feature, iteration)}>{iteration}</a>
  return (
    <>
      <span class="line">
        <LifeBadge life={life} />
        {type && type !== 'unknown' && <Badge>{type}</Badge>}
        {filePath && (
          <a href={featureHref(feature, { file: filePath })}>
            <Remembered text={`${filePath}${at ? `:${at}` : ''}`} />
          </a>
        )}
        <span class="end dim">{id}</span>
      </span>
      <pre class="message">
        <Remembered text={message} />
      </pre>
      <p class="dim">
        {times === 1 ? (
          <>seen in iteration {link(last.iteration)}</>
        ) : (
          <>
            seen in {times} iterations, from {link(first.iteration)} to {link(last.iteration)}
          </>
        )}
        {' · '}
        {check ? (
          <>
            reported by{' '}
            <code>
              <Remembered text={check.command} />
            </code>
          </>
        ) : (
          'reported by no check, so nothing can prove it solved'
        )}
      </p>
      {solutions.map((solution) => (
        <Gone key={solution.iteration} feature={feature} solution={solution} />
      ))}
    </>
  )
}

/** One time that it went away: what shows it, whose work it was, and whether it held. */
function Gone({ feature, solution }: { feature: string; solution: LedgerLine['solutions'][number] }) {
  const { iteration, check, by, cameBackIn } = solution
  const link = (number: number) => <a href={iterationHref(feature, number)}>{number}</a>
  return (
    <div class="gone">
      <p>
        <Badge tone={cameBackIn ? 'warn' : 'good'}>{cameBackIn ? 'held for a while' : 'gone'}</Badge>{' '}
        <code>
          <Remembered text={check} />
        </code>{' '}
        no longer reported it in iteration {link(iteration)}
        {cameBackIn !== undefined && <>; back in iteration {link(cameBackIn)}</>}.
      </p>
      {by ? (
        <p class="dim">
          {by.iteration === iteration ? 'It' : <>Iteration {link(by.iteration)}</>} changed{' '}
          <Remembered text={by.files.join(', ')} />
          {by.summary && (
            <>
              : <Remembered text={by.summary} />
            </>
          )}
        </p>
      ) : (
        <p class="dim">Nothing shows whose work that was.</p>
      )}
    </div>
  )
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!
}
