import { answerOf, api } from '../../client.ts'
import { useAddressPart } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { Shown } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { Entries } from './entries.tsx'
import { Patterns } from './patterns.tsx'
import { Staged } from './staged.tsx'
import './knowledge.css'

type Statistics = Awaited<ReturnType<typeof askForStatistics>>

function askForStatistics() {
  return answerOf(api.knowledge.$get())
}

/** What projects have learned: what would be told for a question, all entries, and what waits to be one. */
export default function Knowledge() {
  const [tab] = useAddressPart('tab', 'patterns')
  const loaded = useData('knowledge', askForStatistics, ['knowledge'])
  const { data } = loaded
  const staged = data && data.staged.unverified + data.staged.waiting + data.staged.elsewhere
  return (
    <>
      <h1>Knowledge</h1>
      <Shown loaded={loaded}>{(statistics) => <Facts statistics={statistics} />}</Shown>
      <Tabs
        label="Knowledge"
        tabs={[
          { id: 'patterns', title: 'Patterns' },
          { id: 'entries', title: 'Entries', count: data?.entries },
          { id: 'staged', title: 'Staged', count: staged },
        ]}
      />
      {tab === 'entries' ? <Entries /> : tab === 'staged' ? <Staged /> : <Patterns />}
    </>
  )
}

function Facts({ statistics }: { statistics: Statistics }) {
  const { successes, projects, helped, misled, expiringSoon, lastCheckpoint } = statistics
  return (
    <p class="facts">
      <span>
        from <strong>{projects}</strong> {projects === 1 ? 'project' : 'projects'}
      </span>
      <span>
        <strong>{successes}</strong> {successes === 1 ? 'success' : 'successes'}
      </span>
      <span title="How tasks ended whose prompt had patterns in it">
        told and helped <strong>{helped}</strong>, misled <strong>{misled}</strong>
      </span>
      {expiringSoon > 0 && (
        <span>
          <strong>{expiringSoon}</strong> reach the end of their year within 30 days
        </span>
      )}
      {lastCheckpoint && (
        <span>
          last checkpoint <Time at={lastCheckpoint.startedAt} />
        </span>
      )}
    </p>
  )
}
