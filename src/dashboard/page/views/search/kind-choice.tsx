import type { MemoryKind } from '../../../../recall/recollection.ts'
import { Choices } from '../../kit/choices.tsx'
import { KIND_NAMES } from '../../kit/memory-address.ts'

const KINDS = (Object.keys(KIND_NAMES) as MemoryKind[]).map((id) => ({ id, name: KIND_NAMES[id] }))

/** Which kinds of memory are wanted; none chosen means all. */
export function KindChoice({
  chosen,
  choose,
}: {
  chosen: readonly string[]
  choose: (kinds: string[]) => void
}) {
  return <Choices label="Only these kinds" choices={KINDS} chosen={chosen} choose={choose} />
}
