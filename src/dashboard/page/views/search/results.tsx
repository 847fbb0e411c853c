import { differingAgents } from '../../../../transcripts/agents.ts'
import { answerOf, api } from '../../client.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { memoryHref } from '../../kit/memory-address.ts'
import { MemoryHead } from '../../kit/memory-head.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { isFiltered, questionOf, type Searched } from './searched.ts'

const ask = async (asked: Searched, signal: AbortSignal) =>
  answerOf(api.search.$get({ query: questionOf(asked) }, { init: { signal } }))
type Answer = Awaited<ReturnType<typeof ask>>
type Found = Answer['items'][number]

const MOST = 1_000
const TONES: Record<Found['relevance'], Tone> = {
  relevant: 'good',
  'possibly relevant': 'warn',
  weak: 'plain',
}

export function Results({
  asked,
  change,
}: {
  asked: Searched
  change: (changes: Record<string, string>) => void
}) {
  const loaded = useData(`search?${JSON.stringify(asked)}`, (signal) => ask(asked, signal), [
    'journals',
    'board',
    'knowledge',
    'conversations',
    'documents',
  ])
  return (
    <Shown loaded={loaded}>
      {({ items, limit, degraded }) => (
        <>
          <Degraded notices={degraded} />
          <p role="status" class="dim">
            {count(items.length, limit)}
          </p>
          {items.length === 0 ? (
            <Nothing asked={asked} />
          ) : (
            <List
              items={withAgents(items)}
              label="What was found, the best first"
              // A merge may have brought two iterations of one number.
              keyOf={({ found, at }) => `${JSON.stringify(found.address)} ${at}`}
              hrefOf={({ found }) => memoryHref(found.address)}
            >
              {({ found, agent }) => <Hit found={found} agent={agent} />}
            </List>
          )}
          {items.length >= limit && limit < MOST && (
            <button
              type="button"
              class="more"
              onClick={() => change({ limit: String(Math.min(MOST, limit * 2)) })}
            >
              More
            </button>
          )}
        </>
      )}
    </Shown>
  )
}

/** Whose each is, where they are not all the same agent's. */
function withAgents(items: readonly Found[]) {
  const agents = differingAgents(items.map(({ agent }) => agent))
  return items.map((found, at) => ({ found, at, agent: agents[at] }))
}

function count(found: number, limit: number): string {
  if (found === 0) return 'Nothing found'
  return found >= limit ? `The best ${found}` : `${found} found`
}

function Hit({ found, agent }: { found: Found; agent: string | undefined }) {
  const { title, passage, score, relevance, alike } = found
  return (
    <article class="hit">
      <MemoryHead memory={found}>
        {title && (
          <span class="dim">
            <Remembered text={title} />
          </span>
        )}
        {agent && (
          <span class="dim">
            <Remembered text={agent} />
          </span>
        )}
      </MemoryHead>
      <p>
        <Remembered text={passage.text} marks={passage.marks} />
      </p>
      <footer class="dim">
        <Badge tone={TONES[relevance]}>{relevance}</Badge>
        <span title="0 to 1; means the same in every memory">score {score.toFixed(2)}</span>
        <span>
          {why(found)}
          <Remembered text={passage.words.join(', ')} />
        </span>
        {alike && <span>{alike === 1 ? 'one more says' : `${alike} more say`} nearly the same</span>}
      </footer>
    </article>
  )
}

function why({ matched, passage }: Found): string {
  const reasons = `by ${matched.join(' and ')}`
  if (passage.words.length === 0) return reasons
  return matched.includes('words') ? `${reasons}: ` : `${reasons}; it also says: `
}

function Degraded({ notices }: { notices: Answer['degraded'] }) {
  if (notices.length === 0) return null
  return (
    <ul class="notices" aria-label="What this answer may lack">
      {notices.map(({ key, message, hint }) => (
        <li key={key}>
          <Remembered text={hint ? `${message} → ${hint}` : message} />
        </li>
      ))}
    </ul>
  )
}

function Nothing({ asked }: { asked: Searched }) {
  if (isFiltered(asked)) return <Empty>Nothing in memory matches with these filters.</Empty>
  return (
    <Empty command="ralph memory recent --feature NAME">
      Nothing in memory matches. Other words may: what is asked is compared by meaning, a whole sentence says
      more than one word. What a feature did last, whatever it is about:
    </Empty>
  )
}
