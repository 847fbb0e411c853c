import { answerOf, api } from '../../client.ts'
import { useAddress } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { conversationHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { Said } from './exchange-row.tsx'
import { Positions } from './positions.tsx'
import { SharedBadge } from './sharing.tsx'
import { Votes } from './votes.tsx'
import './conversations.css'

type Read = Awaited<ReturnType<typeof read>>

function read(id: string, from: string) {
  return answerOf(api.conversations.exchange.$get({ query: { id, ...(from && { from }) } }))
}

const ROLES: Record<Read['steps'][number]['role'], string> = {
  user: 'user',
  assistant: 'assistant',
  tool_call: 'call',
  tool_result: 'result',
  system: 'system',
}

/** One exchange in full: the message, every step, the answer. */
export default function ExchangeView() {
  const [{ id = '', from = '' }] = useAddress()
  const loaded = useData(`exchange ${id} ${from}`, () => read(id, from), ['conversations'])
  return (
    <Shown loaded={loaded} heading="Exchange">
      {(data) => (
        <article>
          <Head data={data} />
          <Said by="user" text={data.exchange.userMessage} />
          {data.stepCount > 0 && <Steps data={data} from={Number(from)} />}
          <Said by="assistant" text={data.exchange.assistantMessage} />
        </article>
      )}
    </Shown>
  )
}

function Head({ data: { exchange, conversation } }: { data: Read }) {
  const { id, status, startedAt, completedAt, votes, summary, position } = exchange
  return (
    <>
      <p class="dim">
        <a href={conversationHref(conversation.id)}>
          <Remembered text={conversation.title} />
        </a>
      </p>
      <h1>Exchange {position + 1}</h1>
      <p class="facts">
        <Votes id={id} votes={votes} of="exchange" />
        <SharedBadge of={conversation} />
        {status !== 'completed' && <Badge tone="warn">{status}</Badge>}
        <span>
          <Remembered text={id} />
        </span>
        <span>
          <Time at={startedAt ?? completedAt} />
        </span>
      </p>
      {summary && (
        <section aria-label="Summary">
          <h2>Summary</h2>
          <p>
            <Remembered text={summary} />
          </p>
        </section>
      )}
      <h2>What was said</h2>
    </>
  )
}

function Steps({ data: { steps, stepCount, nextFrom }, from }: { data: Read; from: number }) {
  return (
    <section class="steps" aria-label="Steps in between">
      <p class="dim">
        {stepCount === 1 ? '1 step' : `${stepCount} steps`} in between
        {stepCount > steps.length && `, ${from + 1} to ${from + steps.length} of them`}
      </p>
      <List
        items={steps.map((step, at) => ({ ...step, at }))}
        label="Steps"
        keyOf={({ at }) => String(from + at)}
      >
        {({ role, toolName, content }) => (
          <>
            <span class="who">
              {ROLES[role]} {toolName && <Remembered text={toolName} />}
            </span>
            <pre>
              <Remembered text={content} />
            </pre>
          </>
        )}
      </List>
      <Positions from={from} next={nextFrom} of="steps" />
    </section>
  )
}
