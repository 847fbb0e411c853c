import { CHECK_KINDS } from '../../shell/kinds.ts'
import { z } from '../../text/schema.ts'
import { ERROR_TYPES } from '../record.ts'

/** The ledger as it is kept between two readings of the journal: whatever it needs to go on where it stopped. */

const Run = z.object({
  iteration: z.int(),
  taskId: z.int(),
  taskTitle: z.string(),
  timestamp: z.string(),
})

const Work = z.extend(Run, {
  files: z.array(z.string()),
  summary: z.string(),
  decisions: z.array(z.string()),
})

const Solution = z.extend(Run, {
  check: z.string(),
  by: z.optional(Work),
  cameBackIn: z.optional(z.int()),
})

const Reporter = z.object({
  key: z.string(),
  suite: z.optional(z.object({ name: z.string(), extent: z.enum(['whole', 'part']) })),
  command: z.string(),
  directory: z.optional(z.string()),
  kind: z.enum(CHECK_KINDS),
  skipped: z.optional(z.int()),
})

export const SavedError = z.object({
  signature: z.string(),
  id: z.string(),
  error: z.object({
    message: z.string(),
    type: z.optional(z.enum(ERROR_TYPES)),
    filePath: z.optional(z.string()),
    line: z.optional(z.int()),
  }),
  sightings: z.array(Run).check(z.minLength(1)),
  times: z.int(),
  solutions: z.array(Solution),
  reporters: z.array(Reporter),
  state: z.enum(['seen', 'solved', 'quiet']),
  left: z.object({ failing: z.boolean(), changedAfter: z.boolean() }),
  outOfSight: z.boolean(),
  placeRemoved: z.boolean(),
})
export type SavedError = z.infer<typeof SavedError>

export const SavedWorks = z.object({ works: z.array(Work), forgotten: z.int() })
export type SavedWorks = z.infer<typeof SavedWorks>

export const SavedLedger = z.object({
  /** The least recently met first; those of one signature stand together. */
  errors: z.array(SavedError),
  /** By check: what it reported when it last ran, or null when that was cut. */
  reported: z.array(z.tuple([z.string(), z.nullable(z.array(z.string()))])),
  works: SavedWorks,
  latest: z.int(),
})
export type SavedLedger = z.infer<typeof SavedLedger>
