import type { AgentName } from '../../transcripts/agents.ts'

/** How an import is going; the last one is its summary. */
export interface ImportReport {
  /** Files for session transcripts, the one file for JSONL. */
  files: { found: number; read: number; unchanged: number; failed: number }
  /** Whose sessions had something in them; none for JSONL. */
  agents: AgentName[]
  exchanges: { found: number; added: number; updated: number; unchanged: number; skipped: number }
  conversations: number
  secretsMasked: number
  /** Taken over from a backup, beside what was said; absent for sessions. */
  restored?: { summaries: number; votes: number; vectors: number }
  /** Why something was left out, with how often, most frequent first. */
  skipped: { why: string; count: number; example?: string }[]
}

export interface WatchedImport {
  onProgress?: ((report: ImportReport) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Counts reasons; keeps one example of each so that people can look. */
export class Skips {
  readonly #reasons = new Map<string, { count: number; example: string | undefined }>()

  add(why: string, example?: string): void {
    const known = this.#reasons.get(why)
    if (known) known.count++
    else if (this.#reasons.size < MOST_REASONS) this.#reasons.set(why, { count: 1, example })
    else this.add(OTHER)
  }

  get total(): number {
    return [...this.#reasons.values()].reduce((sum, { count }) => sum + count, 0)
  }

  list(): ImportReport['skipped'] {
    return [...this.#reasons]
      .map(([why, { count, example }]) => ({ why, count, ...(example !== undefined && { example }) }))
      .sort((a, b) => b.count - a.count)
  }
}

const MOST_REASONS = 50
const OTHER = 'other reasons'
