import { z } from 'zod'
import type { UndoableChange } from '../noted-change.ts'

/** Something that was done here through a command or on the page. */
export interface LoggedChange {
  /** Counted from 1; `u-12` to people. */
  id: number
  /** ISO 8601, UTC. */
  at: string
  /** What was done, in the words of the command: "task done 7". */
  label: string
  parts: UndoableChange[]
  /** Why it cannot be undone, where that is so. */
  final?: string | undefined
  /** What undoing it does not bring back. */
  remark?: string | undefined
  byAgent?: boolean | undefined
  /** Whoever did it was ended on the way: these are the parts that it had come to. */
  cutShort?: boolean | undefined
  /** The change that this one undid, and the one that undid this. */
  undoes?: number | undefined
  undoneBy?: number | undefined
}
export type NewChange = Omit<LoggedChange, 'id' | 'at' | 'undoneBy'>

const Entry = z.record(z.string(), z.unknown())

export const LoggedPart = z.discriminatedUnion('of', [
  z.object({
    ...{ of: z.literal('board'), file: z.string(), at: z.int().nonnegative() },
    ...{ before: Entry.optional(), after: Entry.optional(), source: z.string().optional() },
  }),
  z.object({ of: z.literal('learnings'), feature: z.string(), before: Entry, after: Entry }),
  z.object({
    ...{ of: z.literal('settings'), place: z.enum(['user', 'project']), secret: z.literal(true).optional() },
    ...{
      path: z.tuple([z.string(), z.string()]),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    },
  }),
  z.object({ of: z.literal('choice'), before: z.string().optional(), after: z.string().optional() }),
])

export const StoredChange = z.object({
  ...{ id: z.int().positive(), at: z.string(), label: z.string(), parts: z.array(LoggedPart) },
  ...{ final: z.string().optional(), remark: z.string().optional(), byAgent: z.boolean().optional() },
  ...{ undoes: z.int().optional(), undoneBy: z.int().optional(), cutShort: z.boolean().optional() },
  /** Of what was under way: so it is noted once, whoever is killed when. */
  key: z.string().optional(),
})
