import { isRalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import type { Source } from '../retrieval/catch-up.ts'
import type { Draft } from '../retrieval/draft.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import { snapshotPayload } from './payload.ts'
import { type FeatureDescription, snapshotText } from './snapshot.ts'

/** The board's word on features. */
export interface FeatureBoard {
  /** Changes whenever what it says of any feature may have changed; asked often. */
  version(): Promise<string>
  describe(feature: string): Promise<FeatureDescription | undefined>
}

interface BoardSourceOptions {
  project: string
  feature: string
  board: FeatureBoard
  notices: Notices
}

/** Key of the notice. */
const UNREADABLE = 'board.unreadable'

/** What the board says of one feature, as documents. */
export function boardSource({ project, feature, board, notices }: BoardSourceOptions): Source {
  const read = async () => {
    const description = await board.describe(feature)
    notices.recovered(UNREADABLE)
    return { snapshot: description && snapshotText(description) }
  }
  /** Somebody may be editing it: iterations are found meanwhile. */
  const sayUnreadable = (error: unknown): undefined => {
    if (!isRalphError(error)) throw error
    const message = `what the board says of features is not searched for now: ${error.message}`
    notices.once({ key: UNREADABLE, message, hint: error.hint ?? 'ralph doctor' })
  }
  return {
    name: 'board',
    owns: (payload) => payload['record_type'] !== 'iteration',
    read: async (since, use) => {
      // Asked first: what is changed while we read is read again the next time.
      const version = await board.version()
      if (version === since) return undefined
      const texts = await read().catch(sayUnreadable)
      if (!texts) return undefined
      const drafts = async function* () {
        if (texts.snapshot !== undefined) yield snapshotDraft(project, feature, texts.snapshot)
      }
      return use({ whole: true, drafts: drafts(), cursor: async () => version })
    },
  }
}

function snapshotDraft(project: string, feature: string, text: string): Draft {
  const textHash = sha256(text)
  return {
    id: deterministicUuid(project, feature, 'snapshot'),
    embedded: text,
    searched: text,
    textHash,
    payload: (embeddingModel) =>
      snapshotPayload({ feature, text }, { embeddingModel, embeddingHash: textHash }),
  }
}
