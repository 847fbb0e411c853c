import { useState } from 'preact/hooks'
import { answerOf, api } from '../../client.ts'
import { useAddress } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { addressOf } from '../../kit/path.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { KINDS } from './entry-words.ts'

type Told = Awaited<ReturnType<typeof ask>>
type Pattern = Told['patterns'][number]
interface Question {
  question: string
  error?: string
  technology?: string
}

function ask(question: Question) {
  return answerOf(api.knowledge.patterns.$get({ query: { ...question } }))
}

/** What an agent would be told: asked as the loop asks for a task, or for a failure. */
export function Patterns() {
  const [parts, change] = useAddress()
  const { question = '', error = '', technology = '' } = parts
  return (
    <>
      <QuestionForm
        key={JSON.stringify([question, error, technology])}
        given={{ question, error, technology }}
        onAsk={(asked) => change({ ...asked })}
      />
      {question.trim() === '' ? (
        <Empty command='ralph knowledge query "add an index to the orders table"'>
          Describe a task as an agent would get it: what is known for it appears here, with what would stand
          in its prompt. From the shell:
        </Empty>
      ) : (
        <Answer question={{ question, ...(error && { error }), ...(technology && { technology }) }} />
      )}
    </>
  )
}

function QuestionForm(props: { given: Required<Question>; onAsk: (asked: Required<Question>) => void }) {
  const { given, onAsk } = props
  const [asked, setAsked] = useState(given)
  const field = (name: keyof Question) => ({
    value: asked[name],
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      setAsked({ ...asked, [name]: event.currentTarget.value }),
  })
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(asked)
      }}
    >
      <label class="wide">
        The task, or what went wrong
        <input type="search" maxLength={4_000} {...field('question')} />
      </label>
      <label class="wide">
        The error, if something failed
        <input type="text" maxLength={4_000} {...field('error')} />
      </label>
      <label>
        Technology
        <input type="text" maxLength={200} {...field('technology')} />
      </label>
      <button type="submit" class="primary">
        Ask
      </button>
    </form>
  )
}

function Answer({ question }: { question: Question }) {
  const loaded = useData(`patterns ${JSON.stringify(question)}`, () => ask(question), ['knowledge'])
  return (
    <Shown loaded={loaded}>
      {({ patterns, told }) =>
        patterns.length === 0 ? (
          <Empty command="ralph knowledge capture --help">
            Nothing similar enough is known: an agent would be told nothing. Teach it something:
          </Empty>
        ) : (
          <>
            <Block text={told.text} />
            <List
              items={patterns}
              label="Patterns"
              keyOf={({ id }) => id}
              hrefOf={({ id }) => addressOf('/knowledge', id)}
            >
              {(pattern) => <PatternRow pattern={pattern} isTold={told.ids.includes(pattern.id)} />}
            </List>
          </>
        )
      }
    </Shown>
  )
}

function Block({ text }: { text: string | undefined }) {
  return text === undefined ? (
    <p class="dim">None of these would be told: those that mislead are set aside.</p>
  ) : (
    <details class="told" open>
      <summary>What an agent would be told</summary>
      <pre>
        <Remembered text={text} />
      </pre>
    </details>
  )
}

function PatternRow({ pattern, isTold }: { pattern: Pattern; isTold: boolean }) {
  const { kind, problem, solution, whenToTry, successCount, helped, misled, score, matched } = pattern
  return (
    <>
      <div class="line">
        <strong class="grow">
          <Remembered text={problem} />
        </strong>
        {isTold && <Badge tone="accent">would be told</Badge>}
        {pattern.setAside && <Badge tone="warn">set aside: misled too often</Badge>}
        <Badge>{KINDS[kind]}</Badge>
      </div>
      <p class="clamped">
        <Remembered text={solution} />
      </p>
      <div class="dim line">
        <span>
          <Remembered text={whenToTry} />
        </span>
        <span>
          {successCount} {successCount === 1 ? 'success' : 'successes'}, helped {helped}, misled {misled}
        </span>
        <span title={rankWords(pattern)}>
          score {score.toFixed(2)} by {matched.join(' and ')}
        </span>
        {pattern.conflictsWith.map(({ id, how }) => (
          <span key={id}>
            {how === 'opposite' ? 'says the opposite of' : 'another answer is'} {id.slice(0, 8)}
          </span>
        ))}
      </div>
    </>
  )
}

/** What the order is made of. */
function rankWords({ rank }: Pattern): string {
  const factors = rank.factors.map(({ name, factor, because }) => `${name} ${factor.toFixed(2)} (${because})`)
  return `rank ${rank.value.toFixed(3)} = ${factors.join(' × ')}`
}
