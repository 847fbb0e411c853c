import { RalphError } from '../errors.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { describeIssues } from '../text/describe-issues.ts'
import { shortHash } from '../text/ids.ts'
import { z } from '../text/schema.ts'
import { truncate } from '../text/truncate.ts'
import { DECISION_WAYS } from '../trust/decision.ts'

/** Who a learning comes from, the least weighty first. */
export const LEARNING_SOURCES = ['auto', 'agent', 'human', 'opus_reviewed'] as const
export type LearningSource = (typeof LEARNING_SOURCES)[number]

export const MOST_LEARNINGS = 50
/** Characters of a learning's text, and of its reason. */
export const LEARNING_CAP = 500

/** A file a learning speaks of, as it was then. */
export const Anchor = z.strictObject({
  path: z.string().check(z.minLength(1)),
  /** Of the content; see `contentHash`. */
  hash: z.string({ error: 'must be text' }).check(z.regex(/^[a-p][0-9a-f]{15}$/, 'is not a hash of ours')),
})
export type Anchor = z.infer<typeof Anchor>

const cut = (max: number) =>
  z.pipe(
    z
      .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be text') })
      .check(z.trim(), z.minLength(1, 'must not be empty')),
    z.transform((text) => truncate(text, max)),
  )

const Person = z.strictObject({
  account: z.string().check(z.maxLength(100)),
  saidToBe: z.optional(z.string().check(z.maxLength(100))),
  how: z.enum(DECISION_WAYS, { error: `must be one of ${DECISION_WAYS.join(', ')}` }),
  at: z.iso.datetime(),
})

/** One distilled observation with where it comes from. Text and scope identify it: in other words it is another one. */
export const FeatureLearning = z.strictObject({
  text: cut(LEARNING_CAP),
  /** Why it exists: without it nobody can judge whether it still holds. */
  reason: cut(LEARNING_CAP),
  source: z.enum(LEARNING_SOURCES, { error: `must be one of ${LEARNING_SOURCES.join(', ')}` }),
  /** The iteration that taught it. */
  iteration: z.optional(z.int().check(z.positive())),
  /** Holds for this task only; absent, it holds for the whole feature. */
  taskId: z.optional(z.int().check(z.nonnegative())),
  /** Unknown for those a person typed into the file. */
  created: z.optional(z.iso.datetime({ error: 'must be ISO 8601 in UTC, e.g. 2026-02-07T14:30:00Z' })),
  hitCount: z._default(z.int().check(z.positive()), 1),
  /** The last iteration that observed it. */
  lastSeen: z.optional(z.int().check(z.positive())),
  /** Somebody looked at it. Not "verified": reviewers are wrong too. */
  reviewed: z._default(z.boolean({ error: 'must be true or false' }), false),
  /** Who reviewed it or settled what contradicts it, how and when; unknown for what was reviewed before this was kept. */
  decided: z.optional(Person),
  /** Who put it into other words, and whose words it was before. */
  edited: z.optional(z.extend(Person, { formerly: z.enum(LEARNING_SOURCES) })),
  files: z.optional(z.array(Anchor).check(z.maxLength(10))),
  /** Id of the error in the ledger of errors that it tells of, and the iteration in which that was back all the same. */
  error: z.optional(z.string().check(z.minLength(1))),
  cameBackIn: z.optional(z.int().check(z.positive())),
  /** Ids of learnings that say the opposite; a person decides. */
  conflictsWith: z.optional(z.array(z.string())),
})
export type FeatureLearning = z.infer<typeof FeatureLearning>

/** Names a learning to people and tools; the same text for the same scope always has the same id. */
export function learningId({ text, taskId }: Pick<FeatureLearning, 'text' | 'taskId'>): string {
  return shortHash(JSON.stringify([taskId ?? null, text]), 8)
}

/** A plain line in the YAML was typed by a person and says nothing more about itself. */
const PLAIN = { reason: 'written into features.yaml by hand', source: 'human' } as const

/** Reads a learning as it stands in YAML: a plain string or a mapping. `place` is where, for the error message. */
export function parseLearning(value: unknown, place: string): FeatureLearning {
  const fields = typeof value === 'string' ? { text: value, ...PLAIN } : camelKeys(value)
  const parsed = FeatureLearning.safeParse(fields, { error: describeExpectation })
  if (parsed.success) return parsed.data
  throw new RalphError('invalid_input', `${place}: ${describeIssues(parsed.error)}`, {
    hint: 'Write a learning as one line of text, or as a mapping with at least text, reason and source.',
  })
}

/** As it is written to YAML: without what goes without saying. */
export function learningToDisk(learning: FeatureLearning): unknown {
  const { reviewed, hitCount, files, conflictsWith, ...rest } = learning
  return snakeKeys({
    ...rest,
    ...(hitCount > 1 && { hitCount }),
    ...(reviewed && { reviewed }),
    ...(files && files.length > 0 && { files }),
    ...(conflictsWith && conflictsWith.length > 0 && { conflictsWith }),
  })
}

const describeExpectation: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys')
    return `unknown field ${issue.keys.map((key) => `"${key}"`).join(', ')}`
  if (issue.code === 'invalid_type' && (issue.path ?? []).length === 0)
    return 'must be one line of text or a mapping'
  return undefined
}
