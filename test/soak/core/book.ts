import type { Found } from './write-path.ts'

/** What writers have said of their writes: tried, kept, refused. One line each, `ok w3n17`. */
export class Book {
  readonly tried = new Set<string>()
  readonly acknowledged = new Set<string>()
  readonly refused = new Map<string, string>()

  /** Writers so far: each has a number of its own, and with it its ids. */
  started = 0

  hear(line: string): void {
    const [, word, id, why] = /^(try|ok|no) (\S+) ?(.*)$/.exec(line) ?? []
    if (word === undefined || id === undefined) throw new Error(`a writer said ${JSON.stringify(line)}`)
    if (word === 'try') this.tried.add(id)
    if (word === 'ok') this.acknowledged.add(id)
    if (word === 'no') this.refused.set(id, why ?? '')
  }

  /** Tried, and nobody knows what became of it: the writer was killed, or was told that it failed. */
  unsettled(): string[] {
    return [...this.tried].filter((id) => !this.acknowledged.has(id))
  }

  /** Anybody's who tried: `w1n2` and what goes with it, `w1n2-3`. */
  isTried(id: string): boolean {
    return this.tried.has(id) || this.tried.has(id.split('-')[0]!)
  }
}

export interface Tally {
  acknowledged: number
  /** Of those. */
  found: number
  lost: string[]
  doubled: string[]
  /** Not as it was written, cannot be read, or nobody ever wrote it. */
  damaged: string[]
}

/** Holds what was found against what was acknowledged. What nobody acknowledged may be there once, or not at all. */
export function tally(book: Pick<Book, 'acknowledged' | 'isTried'>, { ids, damaged = [] }: Found): Tally {
  const times = new Map<string, number>()
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  const lost = [...book.acknowledged].filter((id) => !times.has(id))
  return {
    acknowledged: book.acknowledged.size,
    found: book.acknowledged.size - lost.length,
    lost,
    doubled: [...times].filter(([, count]) => count > 1).map(([id]) => id),
    damaged: [
      ...damaged,
      ...[...times.keys()].filter((id) => !book.isTried(id)).map((id) => `${id}: nobody wrote it`),
    ],
  }
}
