import type { Json } from '../search-index/search-index.ts'
import { z } from '../text/schema.ts'

const SourceState = z.object({
  /** Read as JSON, and judged by its source. */
  cursor: z.custom<Json>((value) => value !== undefined),
  /** True while some of its documents have no vector, because the embedder was down. */
  words_only: z.boolean(),
})

/** How far each source of a collection has come. Kept with the collection, gone with it. */
const State = z.object({
  sources: z._default(z.record(z.string(), SourceState), {}),
  id: z.optional(z.string()),
  /** Whose it is, where the name alone does not tell. */
  of: z.optional(z.string()),
})
export type CollectionState = z.infer<typeof State>

/** What was written by another version counts as nothing: the sources are read again, what is known is left alone. */
export function parseState(stored: Json | undefined): CollectionState {
  const parsed = State.safeParse(stored)
  return parsed.success ? parsed.data : { sources: {} }
}
