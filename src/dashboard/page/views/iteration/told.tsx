import { plural } from '../../../../text/plural.ts'
import { wholeNumber } from '../../charts/numbers.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { featureHref, sourceHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { askIteration, type TellingAnswer, type Which } from './ask.ts'

type Item = TellingAnswer['items'][number]

/** What memory said to the run: the whole prompt where it was kept, with each memory marked. */
export function ToldToRun({ which }: { which: Which }) {
  const loaded = useData(JSON.stringify(['told', which]), (signal) => askIteration(which).told(signal), [
    'receipts',
  ])
  return (
    <Shown loaded={loaded}>
      {({ tellings }) =>
        tellings.length === 0 ? (
          <Empty command="ralph receipts">
            Nothing is kept of what it was told: it was told nothing, or that was too long ago.
          </Empty>
        ) : (
          tellings.map((telling, at) => (
            <Telling
              key={telling.receipt ?? at}
              feature={which.feature}
              telling={telling}
              at={at}
              open={at < OPEN || telling.surface === 'loop'}
            />
          ))
        )
      }
    </Shown>
  )
}

interface TellingProps {
  feature: string
  telling: TellingAnswer
  /** Which of several: marks are named by it. */
  at: number
  /** Hooks may have spoken a hundred times: then one opens what one wants to read. */
  open: boolean
}

/** So many are read without opening them. */
const OPEN = 3

function Telling({ feature, telling, at, open }: TellingProps) {
  const { surface, event, tokens, items, leftOut, text, receipt, withheld } = telling
  const used = items.filter((item) => item.used).length
  const name = surface === 'loop' ? 'The prompt' : `${surface}: ${event}`
  return (
    <details class="telling" open={open}>
      <summary class="line">
        <h3>
          <Remembered text={name} />
        </h3>
        {tokens !== undefined && <span class="dim">{wholeNumber(tokens)} tokens</span>}
        <span class="dim">{`${items.length} ${items.length === 1 ? 'memory' : 'memories'}`}</span>
        {withheld && (
          <Badge title="The run was drawn to go without memory: it was not told this">withheld</Badge>
        )}
        {used > 0 && <Badge tone="good">✓ {used} used</Badge>}
        <span class="end dim">
          <Time at={telling.at} />
        </span>
      </summary>
      {text ? (
        <Text feature={feature} parts={text} items={items} at={at} />
      ) : (
        <p class="dim">
          {withheld
            ? 'What memory would have told it, and did not, as it was drawn to go without.'
            : 'The whole text is not kept any more; the memories in it are.'}
          {receipt && (
            <>
              {' '}
              <a href={`/receipts/${receipt}`}>Its receipt</a>
            </>
          )}
        </p>
      )}
      {items.length > 0 && (
        <ol class="items">
          {items.map((item, index) => (
            <li key={index}>
              <ToldItem feature={feature} item={item} markId={item.marked ? markId(at, index) : undefined} />
            </li>
          ))}
        </ol>
      )}
      {leftOut.length > 0 && (
        <details>
          <summary>{plural(leftOut.length, 'thing')} left out</summary>
          <ul>
            {leftOut.map((line) => (
              <li key={line}>
                <Remembered text={line} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </details>
  )
}

const markId = (telling: number, item: number) => `told-${telling}-${item}`

/** The text as it was handed over; a memory in it is marked, with its number in the list below. */
function Text({
  feature,
  parts,
  items,
  at,
}: {
  feature: string
  parts: NonNullable<TellingAnswer['text']>
  items: readonly Item[]
  at: number
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <pre class="prompt" tabIndex={0}>
      {parts.map(({ text, item }, index) =>
        item === undefined ? (
          <Remembered key={index} text={text} />
        ) : (
          <mark
            key={index}
            id={markId(at, item)}
            class={items[item]?.used ? 'used' : undefined}
            title={`${items[item]?.source}: ${items[item]?.why}`}
          >
            <Remembered text={text} />
            <SourceNumber feature={feature} item={items[item]!} number={item + 1} />
          </mark>
        ),
      )}
    </pre>
  )
}

/** Leads from a memory in the text to where it came from. */
function SourceNumber({ feature, item, number }: { feature: string; item: Item; number: number }) {
  const address = addressOfSource(feature, item)
  if (!address) return <sup>{number}</sup>
  return (
    <sup>
      <a href={address} title={`To its source: ${item.source}`}>
        {number}
      </a>
    </sup>
  )
}

function addressOfSource(feature: string, { kind, source }: Item): string | undefined {
  return sourceHref(source, feature) ?? (kind === 'file' ? featureHref(feature, { file: source }) : undefined)
}

function ToldItem({
  feature,
  item,
  markId: mark,
}: {
  feature: string
  item: Item
  markId: string | undefined
}) {
  const { kind, source, why, score, tokens, text, used } = item
  const address = addressOfSource(feature, item)
  return (
    <>
      <span class="line">
        <Badge>{kind.replaceAll('_', ' ')}</Badge>
        {address ? (
          <a href={address}>
            <Remembered text={source} />
          </a>
        ) : (
          <Remembered text={source} />
        )}
        <span class="dim">
          <Remembered text={why} />
        </span>
        {score !== undefined && <span class="dim">score {score.toFixed(2)}</span>}
        {tokens !== undefined && <span class="dim">{wholeNumber(tokens)} tokens</span>}
        {used && <Badge tone="good">✓ used</Badge>}
        {mark && <a href={`#${mark}`}>in the text</a>}
      </span>
      {!mark && text && (
        <span class="said dim">
          <Remembered text={text} />
        </span>
      )}
    </>
  )
}
