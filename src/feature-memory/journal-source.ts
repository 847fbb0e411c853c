import { z } from 'zod'
import type { Notices } from '../notices.ts'
import type { Source } from '../retrieval/catch-up.ts'
import type { Draft } from '../retrieval/draft.ts'
import { sha256 } from '../text/ids.ts'
import type { Journal, JournalItem } from './journal.ts'
import { JournalPosition } from './journal-lines.ts'
import { iterationPayload, searchableText } from './payload.ts'
import { documentId, embeddingText, type IterationRecord } from './record.ts'

/** How far a journal has been indexed, and the number of the latest iteration up to there. */
const Cursor = z.object({
  position: JournalPosition,
  latest: z.int(),
})

const NAME = 'journal'

interface JournalSourceOptions {
  project: string
  feature: string
  journal: Journal
  notices: Notices
}

/** The iterations of one feature, as documents. */
export function journalSource({ project, feature, journal, notices }: JournalSourceOptions): Source {
  const sayDamaged = ({ line, reason }: Extract<JournalItem, { kind: 'damage' }>) =>
    notices.once({
      key: `journal:${feature}:${line}`,
      message: `the journal of "${feature}" has a damaged line ${line} (${reason}); it was left out`,
      hint: `ralph memory verify --feature ${JSON.stringify(feature)}`,
    })
  return {
    name: NAME,
    owns: (payload) => payload['record_type'] === 'iteration',
    read: (since, use) => {
      const known = Cursor.safeParse(since).data
      return journal.read(known?.position, ({ restarted, items, position }) => {
        const whole = restarted || known === undefined
        let latest = whole ? 0 : known.latest
        const drafts = async function* () {
          for await (const item of items) {
            if (item.kind === 'damage') sayDamaged(item)
            else {
              latest = Math.max(latest, item.record.iterationNumber)
              yield iterationDraft(project, item.record)
            }
          }
        }
        return use({
          whole,
          drafts: drafts(),
          cursor: async () => ({ position: await position(), latest }),
        })
      })
    },
  }
}

/** The number of the latest iteration that was indexed. */
export function latestIndexed(cursors: { [source: string]: unknown }): number {
  return Cursor.safeParse(cursors[NAME]).data?.latest ?? 0
}

/** Merged branches can hold two records with the same number and task: each keeps a document of its own. */
function iterationDraft(project: string, record: IterationRecord): Draft {
  const embedded = embeddingText(record)
  const textHash = sha256(embedded)
  return {
    id: documentId(project, record),
    embedded,
    searched: searchableText(record),
    textHash,
    ownText: true,
    payload: (embeddingModel) => iterationPayload(record, { embeddingModel, embeddingHash: textHash }),
  }
}
