import { useAddress } from '../../kit/address.ts'
import { type EntryKind, KINDS } from './entry-words.ts'

export interface EntryFilters {
  kind?: EntryKind
  from?: 'here'
  technology?: string
}

/** What of the entries is shown, as the address says. */
export function useEntryFilters(): [EntryFilters, preact.JSX.Element] {
  const [parts, change] = useAddress()
  const kind = (Object.keys(KINDS) as EntryKind[]).find((one) => one === parts['kind'])
  const isHere = parts['from'] === 'here'
  const technology = parts['technology'] ?? ''
  const filters = {
    ...(kind && { kind }),
    ...(isHere && { from: 'here' as const }),
    ...(technology && { technology }),
  }
  const form = (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Kind
        <select value={kind ?? ''} onChange={(event) => change({ kind: event.currentTarget.value })}>
          <option value="">any</option>
          {Object.entries(KINDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Technology
        <input
          type="text"
          maxLength={200}
          value={technology}
          onChange={(event) => change({ technology: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isHere}
          onChange={(event) => change({ from: event.currentTarget.checked ? 'here' : '' })}
        />
        of this project only
      </label>
    </form>
  )
  return [filters, form]
}
