import { isDeepStrictEqual } from 'node:util'

export interface ListChange {
  removed: { start: number; count: number }
  added: unknown[]
}

/** The places where two lists differ, as few and small as a longest common subsequence makes them. */
export function diffLists(current: readonly unknown[], next: readonly unknown[]): ListChange[] {
  let head = 0
  while (head < current.length && head < next.length && isDeepStrictEqual(current[head], next[head])) head++
  let tail = 0
  while (
    tail < current.length - head &&
    tail < next.length - head &&
    isDeepStrictEqual(current[current.length - 1 - tail], next[next.length - 1 - tail])
  ) {
    tail++
  }
  const before = current.slice(head, current.length - tail).map((item) => JSON.stringify(item))
  const after = next.slice(head, next.length - tail)
  return changes(
    before,
    after.map((item) => JSON.stringify(item)),
    after,
    head,
  )
}

function changes(
  before: readonly string[],
  afterKeys: readonly string[],
  after: readonly unknown[],
  offset: number,
): ListChange[] {
  const lengths = commonLengths(before, afterKeys)
  const found: ListChange[] = []
  let open: ListChange | undefined
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === afterKeys[j]) {
      open = undefined
      i++
      j++
      continue
    }
    if (!open) {
      open = { removed: { start: offset + i, count: 0 }, added: [] }
      found.push(open)
    }
    if (j >= after.length || (i < before.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      open.removed.count++
      i++
    } else {
      open.added.push(after[j])
      j++
    }
  }
  return found
}

function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        before[i] === after[j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  return lengths
}
