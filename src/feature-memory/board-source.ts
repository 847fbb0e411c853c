import { isRalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import type { Source } from '../retrieval/catch-up.ts'
import type { Draft } from '../retrieval/draft.ts'
import { deterministicUuid } from '../text/ids.ts'
import { redactValue } from '../text/redact-value.ts'
import { z } from '../text/schema.ts'
import { type LearningNote, learningPayload } from './finding.ts'
import { snapshotPayload } from './payload.ts'
import { type FeatureDescription, snapshotText } from './snapshot.ts'
import { embeddedHash, MADE } from './told.ts'

/** The board's word on features. */
export interface FeatureBoard {
  /** Changes whenever what it says of any feature may have changed; asked often. */
  version(): Promise<string>
  /** All that it names. */
  features(): Promise<string[]>
  describe(feature: string): Promise<DescribedFeature | undefined>
}

export interface DescribedFeature extends FeatureDescription {
  learnings: readonly (LearningNote & { files?: readonly string[]; created?: string | undefined })[]
}

/** The ids make it plain what has gone, without a look at all that is stored. */
const Cursor = z.object({ version: z.string(), ids: z.array(z.string()), made: z.literal(MADE) })

/** Key of the notice. */
const UNREADABLE = 'board.unreadable'

const NAME = 'board'

/** Of the documents that came from the board. */
export function boardDocuments({
  sources,
}: {
  sources: { [source: string]: { cursor: unknown } }
}): string[] {
  return Cursor.safeParse(sources[NAME]?.cursor).data?.ids ?? []
}

interface BoardSourceOptions {
  project: string
  feature: string
  board: FeatureBoard
  notices: Notices
}

/** What the board says of one feature, as documents. */
export function boardSource({ project, feature, board, notices }: BoardSourceOptions): Source {
  const described = async (): Promise<Draft[] | undefined> => {
    try {
      const drafts = draftsOf(project, feature, redactValue(await board.describe(feature)))
      notices.recovered(UNREADABLE)
      return drafts
    } catch (error) {
      if (!isRalphError(error)) throw error
      // Somebody may be editing it: iterations are found meanwhile.
      const message = `what the board says of features is not searched for now: ${error.message}`
      notices.once({ key: UNREADABLE, message, hint: error.hint ?? 'ralph doctor' })
      return undefined
    }
  }
  return {
    name: NAME,
    owns: (payload) => payload['record_type'] !== 'iteration',
    read: async (since, use) => {
      const known = Cursor.safeParse(since).data
      // Asked first: what is changed while we read is read again the next time.
      const version = await board.version()
      const drafts = version === known?.version ? undefined : await described()
      if (!drafts) return
      const ids = drafts.map(({ id }) => id)
      await use({
        whole: known === undefined,
        removed: known?.ids.filter((id) => !ids.includes(id)) ?? [],
        drafts: each(drafts),
        cursor: async () => ({ version, ids, made: MADE }),
      })
    },
  }
}

function draftsOf(project: string, feature: string, described: DescribedFeature | undefined): Draft[] {
  const text = described && snapshotText(described)
  return [
    ...(text === undefined ? [] : [snapshotDraft(project, feature, text)]),
    ...(described?.learnings ?? []).map((learning) => learningDraft(project, feature, learning)),
  ]
}

function snapshotDraft(project: string, feature: string, text: string): Draft {
  const textHash = embeddedHash(text)
  return {
    id: deterministicUuid(project, feature, 'snapshot'),
    embedded: text,
    searched: text,
    textHash,
    payload: (embeddingModel) =>
      snapshotPayload({ feature, text }, { embeddingModel, embeddingHash: textHash }),
  }
}

/** Everything that is shown of it is in its id: a learning that was reviewed or reworded is another document. */
function learningDraft(
  project: string,
  feature: string,
  learning: DescribedFeature['learnings'][number],
): Draft {
  const { id, text, reason, source, iteration, taskId, files = [], created } = learning
  const note = { id, text, reason, source, iteration, taskId }
  const textHash = embeddedHash(text)
  const shown = { ...note, files: [...files], ...(created && { timestamp: created }) }
  return {
    id: deterministicUuid(project, feature, 'learning', JSON.stringify(shown)),
    embedded: text,
    searched: [text, reason].join('\n'),
    names: files.join('\n'),
    textHash,
    payload: (embeddingModel) => learningPayload(shown, { embeddingModel, embeddingHash: textHash }),
  }
}

async function* each(drafts: readonly Draft[]): AsyncGenerator<Draft> {
  yield* drafts
}
