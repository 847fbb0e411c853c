import { useLocation, useRoute } from 'preact-iso'
import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { filingOf, KINDS, projectName, type ShownEntry, textsOf } from './entry-words.ts'
import './knowledge.css'

/** One entry, whole, and what can be done with it. */
export default function EntryView() {
  const { id = '' } = useRoute().params
  const param = { id: encodeURIComponent(id) }
  const loaded = useData(`entry ${id}`, () => answerOf(api.knowledge.entries[':id'].$get({ param })), [
    'knowledge',
  ])
  return (
    <>
      <p class="dim">
        <a href="/knowledge?tab=entries">Entries</a> · <a href="/knowledge?tab=staged">Staged</a>
      </p>
      <Shown loaded={loaded} heading="Entry">
        {(shown) => (
          <article>
            <h1 class="begun">{KINDS[shown.entry.kind]}</h1>
            <EntryFacts shown={shown} />
            {textsOf(shown.entry).map(([title, text]) => (
              <section key={title} aria-label={title}>
                <h2>{title}</h2>
                <Remembered text={text} />
              </section>
            ))}
            {shown.state === 'embedded' && <Sightings sightings={shown.sightings} />}
            <EntryActions shown={shown} />
          </article>
        )}
      </Shown>
    </>
  )
}

function EntryFacts({ shown: { state, entry } }: { shown: ShownEntry }) {
  const isUnverified = 'verified' in entry && !entry.verified
  return (
    <p class="facts">
      <Badge tone={state === 'embedded' ? 'good' : isUnverified ? 'warn' : 'plain'}>
        {state === 'embedded'
          ? 'can be found'
          : isUnverified
            ? 'waits to be verified'
            : 'waits for a checkpoint'}
      </Badge>
      <span>{entry.id.slice(0, 8)}</span>
      <span title={entry.project}>
        from <Remembered text={projectName(entry.project)} />
      </span>
      {filingOf(entry).map((name) => (
        <Remembered key={name} text={name} />
      ))}
      {'gateType' in entry && (
        <span>
          <Remembered text={entry.gateType} /> gate
        </span>
      )}
      {'successCount' in entry && (
        <span>
          <strong>{entry.successCount}</strong> {entry.successCount === 1 ? 'success' : 'successes'}, helped{' '}
          <strong>{entry.helped}</strong>, misled <strong>{entry.misled}</strong>
        </span>
      )}
      <span>
        captured <Time at={entry.capturedAt} />
      </span>
    </p>
  )
}

function Sightings({ sightings }: { sightings: readonly { project: string; seenAt: string }[] }) {
  if (sightings.length === 0) return null
  return (
    <section aria-label="Seen">
      <h2>Seen</h2>
      <ul>
        {sightings.map(({ project, seenAt }, at) => (
          <li key={at}>
            <Remembered text={project} />, <Time at={seenAt} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function EntryActions({ shown: { state, entry } }: { shown: ShownEntry }) {
  const { route } = useLocation()
  const param = { id: entry.id }
  return (
    <div class="actions">
      {'verified' in entry && !entry.verified && (
        <Action
          kind="primary"
          shortcut={{ keys: 'v', does: 'this solution has been seen to work' }}
          changes={['knowledge']}
          run={() => answerOf(api.knowledge.entries[':id'].verify.$post({ param }))}
        >
          Verify: seen to work
        </Action>
      )}
      <Action
        kind="danger"
        confirm="Forget this entry for good?"
        changes={[]} // what shows it is left
        run={() => answerOf(api.knowledge.entries[':id'].$delete({ param }))}
        onDone={() => route(`/knowledge?tab=${state === 'staged' ? 'staged' : 'entries'}`)}
      >
        Forget
      </Action>
    </div>
  )
}
