import type { Notices } from '../notices.ts'
import { ownId, type Source } from '../retrieval/catch-up.ts'
import type { Collection } from '../retrieval/collection.ts'
import type { Draft } from '../retrieval/draft.ts'
import { z } from '../text/schema.ts'
import type { Journal, JournalItem, JournalRemoval } from './journal.ts'
import { JournalPosition } from './journal-lines.ts'
import { JournalLooks } from './journal-looks.ts'
import { iterationPayload } from './payload.ts'
import { documentId, embeddingText, type IterationRecord } from './record.ts'
import { embeddedHash, MADE, partsOf, searchedWords } from './told.ts'

/** How far a journal has been indexed, and the number of the latest iteration up to there. */
const Cursor = z.object({
  position: JournalPosition,
  latest: z.int(),
  /** What the documents are made of: where it was less, they are made again. */
  made: z.literal(MADE),
})

const NAME = 'journal'

interface JournalSourceOptions {
  project: string
  feature: string
  journal: Journal
  notices: Notices
  /** Of those who ask again and again. */
  looks?: JournalLooks
}

/** The iterations of one feature, as documents. */
export function journalSource({
  project,
  feature,
  journal,
  notices,
  looks = new JournalLooks(),
}: JournalSourceOptions): Source {
  const sayDamaged = ({ line, reason }: Extract<JournalItem, { kind: 'damage' }>) =>
    notices.once({
      key: `journal:${feature}:${line}`,
      message: `the journal of "${feature}" has a damaged line ${line} (${reason}); it was left out`,
      hint: `ralph memory verify --feature ${JSON.stringify(feature)}`,
    })
  return {
    name: NAME,
    owns: (payload) => payload['record_type'] === 'iteration',
    read: async (since, use) => {
      const known = Cursor.safeParse(since).data
      if (known && looks.isAtEnd(journal, known.position)) return
      const readTo = looks.begin(journal)
      await journal.read(known?.position, ({ restarted, items, position }) => {
        const whole = restarted || known === undefined
        let latest = whole ? 0 : known.latest
        const drafts = async function* () {
          for await (const item of items) {
            if (item.kind === 'damage') sayDamaged(item)
            else {
              latest = Math.max(latest, item.record.iterationNumber)
              yield iterationDraft(project, item)
            }
          }
        }
        return use({
          whole,
          drafts: drafts(),
          cursor: async () => {
            const end = await position()
            readTo(end)
            return { position: end, latest, made: MADE }
          },
        })
      })
    },
  }
}

/** The number of the latest iteration that was indexed. */
export function latestIndexed(cursors: { [source: string]: unknown }): number {
  return Cursor.safeParse(cursors[NAME]).data?.latest ?? 0
}

/** How far the journal was indexed. */
export async function indexedTo(collection: Collection): Promise<JournalPosition | undefined> {
  return Cursor.safeParse((await collection.state()).sources[NAME]?.cursor).data?.position
}

/**
 * Takes out the documents of what was removed from the journal, and says how far the rest is indexed: nothing is read again.
 * False where that will not do, as one document may stand for several records.
 */
export async function removeIndexed(
  collection: Collection,
  { project, journal }: { project: string; journal: Journal },
  { records, left, readTo }: JournalRemoval,
): Promise<boolean> {
  const gone = new Set(records.map((record) => documentId(project, record)))
  if (!readTo || left.some((record) => gone.has(documentId(project, record)))) return false
  const known = (await collection.state()).sources[NAME]
  const cursor = Cursor.safeParse(known?.cursor).data
  if (!known || !cursor) return false
  const isLatestGone = records.some(({ iterationNumber }) => iterationNumber === cursor.latest)
  const latest = isLatestGone ? await newestNumber(journal) : cursor.latest
  const ids = records
    .map((record) => iterationDraft(project, { record }))
    .flatMap((one) => [one.id, ownId(one)])
  const state = await collection.stateWith(NAME, { position: readTo, latest, made: MADE }, known.words_only)
  await collection.remove(ids, state)
  return true
}

async function newestNumber(journal: Journal): Promise<number> {
  for await (const { iterationNumber } of journal.newestFirst()) return iterationNumber
  return 0
}

/** Merged branches can hold two records with the same number and task: each keeps a document of its own. */
function iterationDraft(
  project: string,
  { record, offset }: { record: IterationRecord; offset?: number },
): Draft {
  const embedded = embeddingText(record)
  const textHash = embeddedHash(embedded)
  return {
    id: documentId(project, record),
    embedded,
    parts: partsOf(record),
    ...searchedWords(record),
    textHash,
    ownText: true,
    payload: (embeddingModel) =>
      iterationPayload(record, {
        embeddingModel,
        embeddingHash: textHash,
        ...(offset !== undefined && { journalOffset: offset }),
      }),
  }
}

/** Whether a document of this id can be that of the record. */
export function isDocumentOf(project: string, record: IterationRecord, id: string): boolean {
  const first = documentId(project, record)
  return id === first || id === ownId({ id: first, textHash: embeddedHash(embeddingText(record)) })
}
