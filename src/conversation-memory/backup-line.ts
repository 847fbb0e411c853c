import type { Embedded } from '../retrieval/draft.ts'
import { z } from '../text/schema.ts'
import { isAgentName } from '../transcripts/agents.ts'
import type { ConversationSource } from './record.ts'

/**
 * What our own export says beyond the neutral form. Other programs may use the same words for something else: what is not
 * understood counts as absent.
 */

/** A vector in a file, with whose it is and of which text. */
const LineVector = z.object({
  embedder: z.string(),
  text_hash: z.string(),
  /** 32-bit numbers, the lowest byte first, in base64. */
  values: z.string(),
  detail: z.nullish(z.string()),
})
type LineVector = z.infer<typeof LineVector>

const Votes = z.int().check(z.minimum(-1_000), z.maximum(1_000))
const text = z.nullish(z.string())

/** Of the whole conversation, with its first exchange. */
const LineConversation = z.object({
  source: text,
  project: text,
  parent_id: text,
  shared: z.nullish(z.boolean()),
  votes: z.nullish(Votes),
  summary: text,
  summary_model: text,
  summarised_exchanges: z.nullish(z.int().check(z.minimum(1))),
  updated_at: text,
  vector: z.nullish(LineVector),
})
export type LineConversation = z.infer<typeof LineConversation>

const orAbsent = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), undefined)

export const BACKUP_FIELDS = {
  summary_model: orAbsent(z.string()),
  votes: orAbsent(Votes),
  vector: orAbsent(LineVector),
  conversation: orAbsent(LineConversation),
} as const

/** A vector that somebody made before, of a text with this hash. */
export interface GivenVector extends Embedded {
  embedderId: string
  textHash: string
}

export function vectorLine({ embedderId, textHash, vector, detail }: GivenVector): LineVector {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return {
    embedder: embedderId,
    text_hash: textHash,
    values: bytes.toString('base64'),
    ...(detail && { detail: Buffer.from(detail).toString('base64') }),
  }
}

/** Undefined for what is no vector of unit length, as all of ours are. */
export function givenVector(line: LineVector): GivenVector | undefined {
  const bytes = Buffer.from(line.values, 'base64')
  const vector = Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) =>
    bytes.readFloatLE(at * 4),
  )
  const length = Math.hypot(...vector)
  if (!(Math.abs(length - 1) < 0.01)) return undefined
  const { embedder: embedderId, text_hash: textHash, detail } = line
  return { embedderId, textHash, vector, ...(detail && { detail: Buffer.from(detail, 'base64') }) }
}

/** Where a conversation came from, as far as we know the word. */
export function knownSource(word: string | null | undefined): ConversationSource {
  if (word && isAgentName(word)) return word
  return word === 'chat' || word === 'api' ? word : 'jsonl'
}
