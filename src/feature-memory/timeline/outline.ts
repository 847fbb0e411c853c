import { RalphError } from '../../errors.ts'
import { z } from '../../text/schema.ts'
import type { Folding } from '../journal-fold.ts'
import { olderKind } from '../older-records.ts'
import {
  HIGHEST_NUMBER,
  JOURNAL_VERSION,
  OUTCOMES,
  type Outcome,
  RECORD_KINDS,
  type RecordKind,
} from '../record.ts'

/** One iteration in a few numbers, and where its line begins in the journal. */
export interface OutlinedIteration {
  number: number
  offset: number
  /** Milliseconds since 1970. */
  time: number
  outcome: Outcome
  kind: RecordKind
  taskId: number
  costUsd: number | undefined
  tokens: number | undefined
  durationMs: number | undefined
  /** Where a draw decided whether it was given memory: whether it went without. */
  drawnOut: boolean | undefined
  /** Places in the outline's list of paths. */
  files: readonly number[]
}

/** A journal in outline, in its own order: small enough to be held, so that a page of it is read without the rest. */
export class Outline {
  readonly iterations: OutlinedIteration[] = []
  /** Every path that was touched, in the order in which they turned up. */
  readonly paths: string[] = []
  /** Lines that are no entries. */
  damaged = 0
  readonly #places = new Map<string, number>()

  placeOf(path: string): number | undefined {
    return this.#places.get(path)
  }

  /** The place of a path that may be new. */
  placeFor(path: string): number {
    const known = this.#places.get(path)
    if (known !== undefined) return known
    this.paths.push(path)
    this.#places.set(path, this.paths.length - 1)
    return this.paths.length - 1
  }
}

/** All that is wanted here of a line. */
const OutlinedEntry = z.object({
  version: z.literal(JOURNAL_VERSION),
  record: z.object({
    iteration_number: z.int().check(z.positive(), z.maximum(HIGHEST_NUMBER)),
    kind: z.optional(z.enum(RECORD_KINDS)),
    task_id: z.int().check(z.nonnegative()),
    timestamp: z.string(),
    outcome: z.enum(OUTCOMES),
    model_tier: z._default(z.string(), 'haiku'),
    cost_usd: z.optional(z.number().check(z.nonnegative())),
    tokens_used: z.optional(z.number().check(z.nonnegative())),
    duration_ms: z.optional(z.number().check(z.nonnegative())),
    memory: z.optional(z.object({ given: z.boolean(), holdout: z.optional(z.number()) })),
    files_touched: z._default(z.array(z.object({ path: z.string() })), []),
  }),
})
type OutlinedEntry = z.infer<typeof OutlinedEntry>['record'] & { time: number }

export const OUTLINE: Folding<OutlinedEntry, Outline> = {
  basis: 'outline 2',
  cache: 'outline.json',
  parseLine: outlinedIn,
  start: () => new Outline(),
  add: (outline, item) => {
    if (item.kind === 'damage') outline.damaged++
    else outline.iterations.push(outlined(outline, item.record, item.offset))
  },
  save: ({ iterations, paths, damaged }) => ({ damaged, paths, iterations: iterations.map(toRow) }),
  load: loadOutline,
}

function outlinedIn(line: string): OutlinedEntry {
  try {
    const { record } = OutlinedEntry.parse(JSON.parse(line))
    const time = Date.parse(record.timestamp)
    if (Number.isNaN(time)) throw new Error('no time')
    return { ...record, time }
  } catch (cause) {
    throw new RalphError('damaged', 'not a journal entry', { cause })
  }
}

function outlined(outline: Outline, entry: OutlinedEntry, offset: number): OutlinedIteration {
  const { iteration_number, task_id, time, outcome, model_tier, cost_usd, tokens_used, duration_ms } = entry
  const { memory } = entry
  return {
    number: iteration_number,
    offset,
    time,
    outcome,
    kind: entry.kind ?? olderKind({ taskId: task_id, modelTier: model_tier }),
    taskId: task_id,
    costUsd: cost_usd,
    tokens: tokens_used,
    durationMs: duration_ms,
    drawnOut: memory?.holdout === undefined ? undefined : !memory.given,
    files: [...new Set(entry.files_touched.map(({ path }) => outline.placeFor(path)))],
  }
}

/** Numbers in the order of the fields; there may be very many of them, so they are named here only. */
type Row = readonly [
  ...[number: number, offset: number, time: number, outcome: number, kind: number, taskId: number],
  ...[costUsd: number | null, tokens: number | null, durationMs: number | null, drawnOut: number | null],
  ...files: number[],
]
const FIXED_FIELDS = 10
const REQUIRED_FIELDS = 6

function toRow(one: OutlinedIteration): Row {
  const { number, offset, time, taskId, costUsd = null, tokens = null, durationMs = null, files } = one
  const outcome = OUTCOMES.indexOf(one.outcome)
  const kind = RECORD_KINDS.indexOf(one.kind)
  const drawnOut = one.drawnOut === undefined ? null : Number(one.drawnOut)
  return [number, offset, time, outcome, kind, taskId, costUsd, tokens, durationMs, drawnOut, ...files]
}

const SavedOutline = z.object({
  damaged: z.int().check(z.nonnegative()),
  paths: z.array(z.string()),
  iterations: z.array(z.custom<Row>(isRow)),
})

function loadOutline(saved: unknown): Outline {
  const { damaged, paths, iterations } = SavedOutline.parse(saved)
  const outline = new Outline()
  outline.damaged = damaged
  for (const path of paths) outline.placeFor(path)
  for (const row of iterations) outline.iterations.push(fromRow(row, outline.paths.length))
  return outline
}

function isRow(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length >= FIXED_FIELDS &&
    value.every(
      (field, at) =>
        (typeof field === 'number' && field >= 0) ||
        (field === null && at >= REQUIRED_FIELDS && at < FIXED_FIELDS),
    )
  )
}

function fromRow(row: Row, paths: number): OutlinedIteration {
  const [number, offset, time, outcomeAt, kindAt, taskId, costUsd, tokens, durationMs, drawnOut, ...files] =
    row
  const [outcome, kind] = [OUTCOMES[outcomeAt], RECORD_KINDS[kindAt]]
  if (outcome === undefined || kind === undefined || files.some((file) => file >= paths))
    throw new RalphError('damaged', 'not an outline of ours')
  return {
    ...{ number, offset, time, outcome, kind, taskId, files },
    costUsd: costUsd ?? undefined,
    tokens: tokens ?? undefined,
    durationMs: durationMs ?? undefined,
    drawnOut: drawnOut === null ? undefined : drawnOut === 1,
  }
}
