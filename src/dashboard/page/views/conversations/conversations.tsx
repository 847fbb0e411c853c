import { useState } from 'preact/hooks'
import { agentLabel } from '../../../../transcripts/agents.ts'
import { answerOf, api } from '../../client.ts'
import { useAddress } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { conversationHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { balance } from './conversation-words.ts'
import { FoundExchanges } from './found-exchanges.tsx'
import { SharedBadge } from './sharing.tsx'
import './conversations.css'

/** What was said in all conversations: the latest first, by tag, or what a question finds. */
export default function Conversations() {
  const [parts, change] = useAddress()
  const { query = '', tag = '' } = parts
  const about = useData('conversations about', () => answerOf(api.conversations.about.$get()), [
    'conversations',
  ])
  return (
    <>
      <h1>Conversations</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchField key={query} given={query} onAsk={(asked) => change({ query: asked })} />
        <label>
          Tag
          <select value={tag} onChange={(event) => change({ tag: event.currentTarget.value })}>
            <option value="">any</option>
            {about.data?.tags.map(({ tag: name, conversations }) => (
              <option key={name} value={name}>
                {name} ({conversations})
              </option>
            ))}
          </select>
        </label>
      </form>
      <Shown loaded={about}>
        {({ counts }) => (
          <p class="facts">
            <span>
              <strong>{counts.conversations}</strong>{' '}
              {counts.conversations === 1 ? 'conversation' : 'conversations'}
            </span>
            <span>
              <strong>{counts.exchanges}</strong> {counts.exchanges === 1 ? 'exchange' : 'exchanges'}
            </span>
          </p>
        )}
      </Shown>
      {query.trim() === '' ? <Latest tag={tag} /> : <FoundExchanges query={query} tag={tag} />}
    </>
  )
}

function SearchField({ given, onAsk }: { given: string; onAsk: (asked: string) => void }) {
  const [text, setText] = useState(given)
  return (
    <label class="wide">
      Search what was said
      <input
        type="search"
        maxLength={4_000}
        value={text}
        placeholder="how did we fix the timeout last week"
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={() => onAsk(text.trim())}
      />
    </label>
  )
}

function Latest({ tag }: { tag: string }) {
  const ask = (after?: string) => answerOf(api.conversations.$get({ query: { ...(tag && { tag }), after } }))
  const loaded = useData(`conversations ${tag}`, () => ask(), ['conversations'])
  const { items, more, trouble } = useMore(loaded, ask)
  return (
    <>
      <Shown loaded={loaded}>
        {() =>
          items.length === 0 ? (
            <Empty command="ralph conversations import">
              {tag
                ? 'No conversation has this tag.'
                : 'No conversations yet. Import those with your coding agents:'}
            </Empty>
          ) : (
            <List
              items={items}
              label="Conversations"
              keyOf={({ id }) => id}
              hrefOf={({ id }) => conversationHref(id)}
            >
              {({ title, tags, source, exchangeCount, votes, updatedAt, summary, ...shared }) => (
                <>
                  <div class="line">
                    <strong class="grow">
                      <Remembered text={title} />
                    </strong>
                    {tags.map((name) => (
                      <Badge key={name} tone="accent">
                        <Remembered text={name} />
                      </Badge>
                    ))}
                    <span class="dim">
                      <Time at={updatedAt} />
                    </span>
                  </div>
                  {summary && (
                    <p class="clamped">
                      <Remembered text={summary} />
                    </p>
                  )}
                  <div class="dim line">
                    <span>
                      {exchangeCount} {exchangeCount === 1 ? 'exchange' : 'exchanges'}
                    </span>
                    <span>{agentLabel(source)}</span>
                    <SharedBadge of={shared} />
                    {votes !== 0 && <span>votes {balance(votes)}</span>}
                  </div>
                </>
              )}
            </List>
          )
        }
      </Shown>
      <More more={more} trouble={trouble} />
    </>
  )
}
