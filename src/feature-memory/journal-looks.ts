import { type BigIntStats, lstatSync } from 'node:fs'
import type { Journal, JournalPosition } from './journal.ts'

/** What is changed within one tick of a file system's clock looks as before: so long after a change nobody relies on looks. */
const TICK_MS = 100

/**
 * Which journals were read to their end, and what their files looked like then: as long as they look so, there is nothing to
 * read. A look takes a hundredth of the time.
 */
export class JournalLooks {
  readonly #ends = new Map<string, { look: string; position: JournalPosition }>()

  /** Whether nothing can have changed since somebody read to there. */
  isAtEnd({ path }: Journal, { offset, fingerprint }: JournalPosition): boolean {
    const known = this.#ends.get(path)
    if (known?.position.offset !== offset || known.position.fingerprint !== fingerprint) return false
    return known.look === lookOf(statsOf(path))
  }

  /** To be asked before the journal is read; what it returns, once it has been. */
  begin({ path }: Journal): (position: JournalPosition) => void {
    const stats = statsOf(path)
    const isSettled = stats !== undefined && Date.now() - Number(stats.mtimeMs) > TICK_MS
    return (position) => {
      const isAll = Number(stats?.size) === position.offset
      if (isSettled && isAll) this.#ends.set(path, { look: lookOf(stats), position })
      else this.#ends.delete(path)
    }
  }
}

/** Of a link itself: whoever reads through it is told that it is one. */
function statsOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })
}

/** The time of the last change of any kind is nothing that a program sets. */
function lookOf(stats: BigIntStats | undefined): string {
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : 'absent'
}
