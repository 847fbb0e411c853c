import { useLocation } from 'preact-iso'
import { agentLabel } from '../../../../transcripts/agents.ts'
import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { useAddress } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { conversationHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { session } from '../../session.ts'
import { type Exchange, ExchangeRow } from './exchange-row.tsx'
import { Positions } from './positions.tsx'
import { ShareAction, SharedBadge } from './sharing.tsx'
import { Tags } from './tags.tsx'
import { Votes } from './votes.tsx'
import './conversations.css'

type Read = Awaited<ReturnType<typeof read>>

function read(id: string, from: string) {
  return answerOf(api.conversations.conversation.$get({ query: { id, ...(from && { from }) } }))
}

/** One conversation with its exchanges, a page at a time. */
export default function ConversationView() {
  const [{ id = '', from = '' }] = useAddress()
  const loaded = useData(`conversation ${id} ${from}`, () => read(id, from), ['conversations'])
  return (
    <>
      <p class="dim">
        <a href="/conversations">Conversations</a>
      </p>
      <Shown loaded={loaded} heading="Conversation">
        {(data) => (
          <>
            <Head conversation={data.conversation} />
            <Exchanges exchanges={data.exchanges} />
            <Positions from={Number(from)} next={data.nextFrom} of="exchanges" />
            {data.conversation.from === undefined && <Care conversation={data.conversation} />}
          </>
        )}
      </Shown>
    </>
  )
}

function Head({ conversation }: { conversation: Read['conversation'] }) {
  const { id, title, source, project, parentId, exchangeCount, startedAt, updatedAt, summary } = conversation
  return (
    <>
      <h1>
        <Remembered text={title} />
      </h1>
      <p class="facts">
        <Votes id={id} votes={conversation.votes} of="conversation" />
        <span>
          <strong>{exchangeCount}</strong> {exchangeCount === 1 ? 'exchange' : 'exchanges'}
        </span>
        <span>{agentLabel(source)}</span>
        <SharedBadge of={conversation} />
        {project && (
          <span>
            in <Remembered text={project} />
          </span>
        )}
        {parentId && (
          <span>
            started by <a href={conversationHref(parentId)}>another conversation</a>
          </span>
        )}
        <span>
          began <Time at={startedAt} />, last <Time at={updatedAt} />
        </span>
      </p>
      <Tags id={id} tags={conversation.tags} isOwn={conversation.from === undefined} />
      {summary && (
        <section aria-label="Summary">
          <h2>Summary</h2>
          <Remembered text={summary} />
        </section>
      )}
    </>
  )
}

function Exchanges({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <section aria-label="Exchanges">
      <h2>What was said</h2>
      {exchanges.length === 0 ? (
        <Empty>There is nothing from here on.</Empty>
      ) : (
        <List items={exchanges} label="Exchanges" keyOf={({ id }) => id}>
          {(exchange) => <ExchangeRow exchange={exchange} />}
        </List>
      )}
    </section>
  )
}

/** Of one's own. */
function Care({ conversation }: { conversation: Read['conversation'] }) {
  const { id, exchangeCount } = conversation
  const { route } = useLocation()
  return (
    <div class="actions">
      {session.value?.isTeam && <ShareAction conversation={conversation} />}
      <Action
        kind="danger"
        confirm={`Forget this conversation with ${exchangeCount} ${exchangeCount === 1 ? 'exchange' : 'exchanges'} for good?`}
        changes={[]} // what shows it is left
        run={() => answerOf(api.conversations.conversation.$delete({ query: { id } }))}
        onDone={() => route('/conversations')}
      >
        Forget this conversation
      </Action>
    </div>
  )
}
