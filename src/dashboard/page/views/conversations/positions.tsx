import { useAddress } from '../../kit/address.ts'

const PAGE = 50

/** Backwards and forwards through something that is in order; where one is stands in the address. */
export function Positions({ from, next, of }: { from: number; next: number | undefined; of: string }) {
  const [, change] = useAddress()
  const before = Math.max(0, from - PAGE)
  if (from === 0 && next === undefined) return null
  return (
    <div class="actions">
      {from > 0 && (
        <button type="button" onClick={() => change({ from: before === 0 ? '' : String(before) })}>
          Earlier {of}
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => change({ from: String(next) })}>
          Later {of}
        </button>
      )}
    </div>
  )
}
