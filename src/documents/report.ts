/** How far the work on documents has come, for whoever waits. */
export interface DocumentsProgress {
  doing: 'looking' | 'reading' | 'indexing' | 'embedding'
  done: number
  total?: number
  /** The file at hand. */
  path?: string
}

/** What is left out on purpose, by the same reason. */
export interface LeftOutFiles {
  why: string
  count: number
  examples: string[]
}

/** What could not be read: the rest went on. */
export interface FailedFile {
  path: string
  why: string
  hint?: string
  /** What was read of it before is kept. */
  keptAsItWas?: true
}

export interface DocumentsReport {
  files: { added: number; changed: number; unchanged: number; removed: number }
  pieces: { added: number; removed: number }
  leftOut: LeftOutFiles[]
  failed: FailedFile[]
  /** Beyond those that are listed. */
  moreFailed: number
  /** Things to know that are no failures, such as a folder that is part of another one. */
  remarks: string[]
  secretsMasked: number
  /** Pieces that have a vector now, and pieces that wait for one: found by their words meanwhile. */
  embedded: number
  waiting: number
}

const MOST_EXAMPLES = 3
const MOST_FAILED = 100

/** Adds up what happens to many files. */
export class ReportBuilder {
  readonly #leftOut = new Map<string, LeftOutFiles>()
  readonly report: DocumentsReport = {
    files: { added: 0, changed: 0, unchanged: 0, removed: 0 },
    pieces: { added: 0, removed: 0 },
    leftOut: [],
    failed: [],
    moreFailed: 0,
    remarks: [],
    secretsMasked: 0,
    embedded: 0,
    waiting: 0,
  }

  leaveOut(path: string, why: string): void {
    const known = this.#leftOut.get(why)
    const entry = known ?? { why, count: 0, examples: [] }
    if (!known) this.#leftOut.set(why, entry)
    entry.count++
    if (entry.examples.length < MOST_EXAMPLES) entry.examples.push(path)
  }

  fail(failed: FailedFile): void {
    if (this.report.failed.length < MOST_FAILED) this.report.failed.push(failed)
    else this.report.moreFailed++
  }

  finish(): DocumentsReport {
    this.report.leftOut = [...this.#leftOut.values()].sort((a, b) => b.count - a.count)
    return this.report
  }
}
