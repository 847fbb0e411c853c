import { catchUp } from '../retrieval/catch-up.ts'
import type { Collection } from '../retrieval/collection.ts'
import type { Storage } from '../storage/storage.ts'
import { plural } from '../text/plural.ts'
import { countEntries, entriesSource } from './entries-source.ts'

/** Whoever asks waits for so many vectors; of more, words have to do until the next checkpoint. */
const EMBEDDED_AT_ONCE = 300

/** An index that lacks entries (deleted, damaged, or filled on another machine) is filled from the database by whoever asks. */
export async function restoreLostIndex(
  { storage, collection }: { storage: Storage; collection: Collection },
  signal?: AbortSignal,
): Promise<void> {
  const entries = await countEntries(storage)
  const missing = entries - (await collection.size(signal))
  if (missing <= 0) return
  const { embedder } = await collection.meaning.open({ hurried: true })
  // Nobody makes the vectors of another model again while somebody waits.
  if (embedder && !(await collection.fits(embedder, signal))) return
  const wordsOnly = missing > EMBEDDED_AT_ONCE
  collection.parts.notices.once({
    key: 'knowledge index',
    message: `${plural(missing, 'entry', 'entries')} of project knowledge missing in the search index, put back from the database${wordsOnly ? ', by words until the next checkpoint' : ''}`,
    ...(wordsOnly && { hint: 'ralph knowledge checkpoint' }),
  })
  const embedderWorks = wordsOnly ? Promise.resolve(false) : undefined
  await catchUp(collection, [entriesSource(storage)], { signal, ...(embedderWorks && { embedderWorks }) })
}
