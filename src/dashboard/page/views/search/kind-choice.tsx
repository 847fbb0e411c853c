import type { MemoryKind } from '../../../../recall/recollection.ts'
import { KIND_NAMES } from '../../kit/memory-address.ts'

/** Which kinds of memory are wanted; none chosen means all. */
export function KindChoice({
  chosen,
  choose,
}: {
  chosen: readonly string[]
  choose: (kinds: string[]) => void
}) {
  return (
    <fieldset class="kinds">
      <legend class="unseen-label">Only these kinds</legend>
      {(Object.keys(KIND_NAMES) as MemoryKind[]).map((kind) => (
        <label key={kind} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((other) => other !== kind)
              choose(currentTarget.checked ? [...others, kind] : others)
            }}
          />
          {KIND_NAMES[kind]}
        </label>
      ))}
    </fieldset>
  )
}
