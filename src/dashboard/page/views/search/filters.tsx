import { answerOf, api } from '../../client.ts'
import { OUTCOMES } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { KindChoice } from './kind-choice.tsx'
import { isFiltered, type Searched } from './searched.ts'

/** What narrows a search, each in the address. */
export function Filters({
  asked,
  change,
}: {
  asked: Searched
  change: (changes: Record<string, string>) => void
}) {
  const { data } = useData('search/features', () => answerOf(api.search.features.$get()), [
    'board',
    'journals',
  ])
  const set = (name: string) => (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    change({ [name]: event.currentTarget.value, limit: '' })
  return (
    <div class="filters">
      <KindChoice chosen={asked.kinds} choose={(kinds) => change({ kind: kinds.join(','), limit: '' })} />
      <label>
        Feature{' '}
        <select value={asked.feature} onChange={set('feature')}>
          <option value="">all</option>
          {withChosen(data?.features ?? [], asked.feature).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Outcome{' '}
        <select value={asked.outcome} onChange={set('outcome')}>
          <option value="">any</option>
          {Object.entries(OUTCOMES).map(([outcome, { word }]) => (
            <option key={outcome} value={outcome}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label>
        From <input type="date" value={asked.since} onChange={set('since')} />
      </label>
      <label>
        to <input type="date" value={asked.until} onChange={set('until')} />
      </label>
      {isFiltered(asked) && (
        <button
          type="button"
          onClick={() => change({ kind: '', feature: '', outcome: '', since: '', until: '', limit: '' })}
        >
          No filters
        </button>
      )}
    </div>
  )
}

/** What the address names stays in sight, even if there is no such feature any more. */
function withChosen(features: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || features.includes(chosen) ? features : [chosen, ...features]
}
