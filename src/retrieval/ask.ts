import { throwIfAborted } from '../errors.ts'
import type { Filter } from '../search-index/query.ts'
import { WordSearch } from '../search-index/word-search.ts'
import type { Collection } from './collection.ts'
import { type Draft, draftWords } from './draft.ts'
import { examined } from './examine.ts'
import type { Hit } from './fusion.ts'
import { isLongQuestion, meaningsOf, meaningsOfFailure } from './long-question.ts'
import type { QuestionMeaning } from './meaning.ts'
import { againOnceMended, isOnlyUnwritable, isOutOfOrder } from './mending.ts'
import { rankHits } from './ranking.ts'

/** For those who read what is found from where it is stored. */
export { withoutStrangers } from './strangers.ts'

export interface Question {
  /** Whose words are searched. */
  text: string
  /** Where it is known to be about a failure: what reported it. */
  failure?: string | undefined
  limit: number
  minScore: number
  filter?: Filter | undefined
  signal?: AbortSignal | undefined
}

export interface AskOptions<Result> {
  /** What to make of the hits. */
  present: (hits: readonly Hit[]) => Result[] | Promise<Result[]>
  /** Brings the collection level, and says whether that took anything. Without it, the collection is taken as it stands. */
  bringLevel?: ((embedderWorks: Promise<boolean>) => Promise<{ changed: boolean }>) | undefined
  /** Puts back what a collection that is taken as it stands has lost. */
  restore?: (() => Promise<void>) | undefined
  /** All there is, read from where it is kept: found by words while the index cannot be asked, which is said. */
  withoutIndex?: WithoutIndex | undefined
  /** What is said, once, when nothing can be found at all. */
  off: { key: string; message: string }
  /** What is said, once, when the collection is of another model, which nobody mends while asking. */
  otherModel?: { key: string; message: string; hint: string } | undefined
}

export interface WithoutIndex {
  message: string
  read: (look: (drafts: AsyncIterable<Draft>) => Promise<void>) => Promise<void>
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
    if (!isOutOfOrder(error)) throw error
    const { off, withoutIndex } = options
    const found = withoutIndex && (await foundWithoutIndex(collection, question, withoutIndex, options))
    const what = found ? `${withoutIndex!.message}, only by words and more slowly` : off.message
    notices.once({
      ...{ key: off.key, message: `${what}: ${error.message}`, hint: error.hint ?? 'ralph doctor' },
      ...(found && { cause: error.message }),
    })
    return found ?? []
  }
}

/** Undefined when what is kept cannot be read, either. */
async function foundWithoutIndex<Result>(
  { typicalLength }: Collection,
  question: Question,
  { read }: WithoutIndex,
  { present }: AskOptions<Result>,
): Promise<Result[] | undefined> {
  const { text, filter, limit, minScore, signal } = question
  const search = new WordSearch({ text, titled: isTitled(question), filter, typicalLength })
  try {
    await read(async (drafts) => {
      for await (const draft of drafts) {
        throwIfAborted(signal)
        search.look({ id: draft.id, ...draftWords(draft), payload: () => draft.payload('none') })
      }
    })
    const ranking = { calibration: [], limit, minScore, isLong: isLongQuestion(text) }
    return await present(rankHits(search.evidence(), ranking))
  } catch (error) {
    if (!isOutOfOrder(error)) throw error
    return undefined
  }
}

/**
 * Most of the time nothing is new: so the collection is searched at once, which on a server brings along how far it has come,
 * and once more if it was not level.
 */
async function found<Result>(
  collection: Collection,
  question: Question,
  options: AskOptions<Result>,
): Promise<Hit[]> {
  await options.restore?.()
  const { text, failure, limit, filter, minScore, signal } = question
  const { vector, embedderId, calibration, problem } = await understood(collection, question, options)
  const request = {
    text,
    titled: isTitled(question),
    limit,
    ...(filter && { filter }),
    ...(vector && { vector, details: true }),
    ...(embedderId !== undefined && { embedderId }),
  }
  const search = () => collection.search(request, signal)
  const before = await search()
  // Only now: while the index is down, that is the trouble to speak of.
  if (problem) collection.meaning.sayItIsOff(problem)
  else if (vector) collection.meaning.sayItWorks()
  const works = Promise.resolve(problem === undefined)
  const { changed } = await broughtLevel(collection, options, works)
  const evidence = changed ? await search() : before
  const { candidates, pairs } = vector
    ? examined(evidence, { text, failure, vector })
    : { candidates: evidence, pairs: 0 }
  return rankHits(candidates, { calibration, limit, minScore, isLong: isLongQuestion(text), pairs })
}

/** What is pasted of a failure begins with whatever was printed first. */
function isTitled({ failure }: Question): boolean {
  return failure === undefined
}

/** What can be read and not written (a key that may only read, a full disk) is searched as it stands. */
async function broughtLevel<Result>(
  { parts }: Collection,
  { bringLevel, off }: AskOptions<Result>,
  embedderWorks: Promise<boolean>,
): Promise<{ changed: boolean }> {
  try {
    return (await bringLevel?.(embedderWorks)) ?? { changed: false }
  } catch (error) {
    if (!isOnlyUnwritable(error)) throw error
    const message = `the newest may not be found: ${error.message}`
    parts.notices.once({ key: `${off.key}.behind`, message, hint: error.hint ?? 'ralph doctor' })
    return { changed: false }
  }
}

async function understood(
  collection: Collection,
  { text, failure, signal }: Question,
  { bringLevel, otherModel }: Pick<AskOptions<never>, 'bringLevel' | 'otherModel'>,
): Promise<QuestionMeaning> {
  const { meaning, parts } = collection
  const fits: Parameters<typeof meaning.ofQuestion>[1] = bringLevel
    ? {}
    : {
        fits: async (embedder) => {
          const does = await collection.fits(embedder, signal)
          if (otherModel && does) parts.notices.recovered(otherModel.key)
          else if (otherModel) parts.notices.once(otherModel)
          return does
        },
      }
  const meanings = failure === undefined ? meaningsOf(text) : meaningsOfFailure(text, failure)
  return meaning.ofQuestion(meanings, { signal, ...fits })
}
