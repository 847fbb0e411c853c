import { RalphError } from '../errors.ts'

export interface PageRequest {
  /** Default 50. */
  limit?: number | undefined
  /** `next` of the page before. */
  after?: string | undefined
}

export interface Page<Entry> {
  entries: Entry[]
  /** Hand it in as `after` to go on; undefined at the end. */
  next: string | undefined
}

export const PAGE_LIMIT = 50

/** Where the page before ended. */
export function placeOf(after: string | undefined): { time: number; id: string } | undefined {
  if (after === undefined) return undefined
  const [time, id] = after.split('/')
  if (id !== undefined && /^\d{1,15}$/.test(time!)) return { time: Number(time), id }
  throw new RalphError('invalid_input', `${JSON.stringify(after)} is not where a page ended`)
}

/** Of one row more than is wanted: whether there is more is known without asking again. */
export function pageOf<Row extends { id: string }, Entry>(
  rows: readonly Row[],
  limit: number,
  options: { time: (row: Row) => number; entry: (row: Row) => Entry },
): Page<Entry> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = last && rows.length > limit ? `${options.time(last)}/${last.id}` : undefined
  return { entries: shown.map(options.entry), next }
}
