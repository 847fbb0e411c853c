import { isRalphError } from '../errors.ts'
import type { Filter } from '../search-index/search-index.ts'
import type { Collection } from './collection.ts'
import { fuse, type Hit, type WordGate } from './fusion.ts'
import type { Meanings, QuestionMeaning } from './meaning.ts'
import { againOnceMended } from './mending.ts'

export interface Question {
  /** Whose words are searched. */
  text: string
  /** Default: what the text means. */
  meanings?: Meanings | undefined
  limit: number
  minScore: number
  filter?: Filter | undefined
  wordGate?: WordGate | undefined
  signal?: AbortSignal | undefined
}

export interface AskOptions<Result> {
  /** What to make of the hits. */
  present: (hits: readonly Hit[]) => Result[] | Promise<Result[]>
  /** Brings the collection level while the question is embedded. Without it, the collection is taken as it stands. */
  bringLevel?: ((embedderWorks: Promise<boolean>) => Promise<unknown>) | undefined
  /** Puts back what a collection that is taken as it stands has lost. */
  restore?: (() => Promise<void>) | undefined
  /** What is said, once, when nothing can be found at all. */
  off: { key: string; message: string }
  /** What is said, once, when the collection is of another model, which nobody mends while asking. */
  otherModel?: { key: string; message: string; hint: string } | undefined
}

/** The best hits. Memory enriches, it never gates: whatever is down is said once, and found again when it is back. */
export async function ask<Result>(
  collection: Collection,
  question: Question,
  options: AskOptions<Result>,
): Promise<Result[]> {
  const { notices } = collection.parts
  try {
    const hits = await againOnceMended(() => found(collection, question, options))
    const results = await options.present(hits)
    notices.recovered(options.off.key)
    return results
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    const message = `${options.off.message}: ${error.message}`
    notices.once({ key: options.off.key, message, hint: error.hint ?? 'ralph doctor' })
    return []
  }
}

async function found<Result>(
  collection: Collection,
  question: Question,
  options: AskOptions<Result>,
): Promise<Hit[]> {
  await options.restore?.()
  const { vector, calibration } = await understood(collection, question, options)
  const { text, limit, filter, minScore, wordGate, signal } = question
  const request = { text, limit, ...(filter && { filter }), ...(vector && { vector }) }
  const evidence = await collection.search(request, signal)
  return fuse(evidence, { calibration, limit, minScore, ...(wordGate && { wordGate }) })
}

async function understood(
  collection: Collection,
  { text, meanings = [{ text, weight: 1 }], signal }: Question,
  { bringLevel, otherModel }: Pick<AskOptions<never>, 'bringLevel' | 'otherModel'>,
): Promise<QuestionMeaning> {
  const { meaning, parts } = collection
  const fits: Parameters<typeof meaning.ofQuestion>[1] = bringLevel
    ? {}
    : {
        fits: async (embedder) => {
          const does = await collection.fits(embedder)
          if (otherModel && does) parts.notices.recovered(otherModel.key)
          else if (otherModel) parts.notices.once(otherModel)
          return does
        },
      }
  // The model loads while the index is asked what it has; neither outlives this call.
  const embedding = meaning.ofQuestion(meanings, { signal, ...fits })
  const works = embedding.then(
    ({ problem }) => problem === undefined,
    () => false,
  )
  const [embedded, level] = await Promise.allSettled([embedding, bringLevel?.(works)])
  if (embedded.status === 'rejected') throw embedded.reason
  if (level.status === 'rejected') throw level.reason
  const { problem, vector } = embedded.value
  if (problem) meaning.sayItIsOff(problem)
  else if (vector) meaning.sayItWorks()
  return embedded.value
}
