import { useLayoutEffect, useRef } from 'preact/hooks'
import { offer } from '../../keyboard.ts'
import { useAddress } from '../../kit/address.ts'
import { Empty } from '../../kit/states.tsx'
import { Filters } from './filters.tsx'
import { Results } from './results.tsx'
import { searchedFor } from './searched.ts'
import './search.css'

/** One search over everything that is remembered. What is asked is in the address. */
export default function Search() {
  const [parts, change] = useAddress()
  const field = useRef<HTMLInputElement>(null)
  const asked = searchedFor(parts)
  useLayoutEffect(() => {
    if (asked.query === '') field.current?.focus()
    return offer({ keys: '/', does: 'search everything', run: () => field.current?.select() })
  }, [])
  return (
    <>
      <h1>Search</h1>
      <form
        class="search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          change({ q: field.current?.value.trim() ?? '', limit: '' })
        }}
      >
        <input
          ref={field}
          key={asked.query}
          type="search"
          aria-label="What to look for"
          placeholder="How did we fix the timeout?"
          defaultValue={asked.query}
          maxLength={4_000}
          enterKeyHint="search"
        />
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <Filters asked={asked} change={change} />
      {asked.query === '' ? <Invitation /> : <Results asked={asked} change={change} />}
    </>
  )
}

function Invitation() {
  return (
    <Empty command={'ralph search how did we fix the timeout'}>
      Say in your own words what you look for: iterations, learnings, features, project knowledge and
      conversations are searched by meaning and by words. The same from the shell:
    </Empty>
  )
}
