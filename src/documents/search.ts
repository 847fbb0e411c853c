import { withoutAlike } from '../retrieval/alike.ts'
import { ask } from '../retrieval/ask.ts'
import type { Hit } from '../retrieval/fusion.ts'
import { relevanceOf } from '../retrieval/relevance.ts'
import type { DocumentIndex } from './document-index.ts'
import type { Pieces } from './pieces.ts'
import type { FoundPiece, Piece } from './record.ts'

export interface DocumentSearchOptions {
  limit?: number | undefined
  /** What is weaker is left out, 0 to 1. */
  minScore?: number | undefined
  signal?: AbortSignal | undefined
}

/** Pieces that are made findable while somebody waits; more than this waits for `sync` or a worker. */
const CATCH_UP = 2_000
/** Copies crowd each other out. */
const MORE = 3

/** The best pieces, strongest first; what stands in several files is shown once. */
export async function searchPieces(
  { index, pieces }: { index: DocumentIndex; pieces: Pieces },
  query: string,
  { limit, minScore, signal }: { limit: number; minScore: number; signal?: AbortSignal | undefined },
): Promise<FoundPiece[]> {
  const { notices } = index.collection.parts
  return ask<FoundPiece>(
    index.collection,
    { text: query, limit: limit * MORE, minScore, signal },
    {
      present: (hits) => presented(pieces, hits, limit),
      bringLevel: async () => {
        const { changed } = await index.catchUpWords({ limit: CATCH_UP, signal })
        const { words } = changed ? await index.waiting() : { words: 0 }
        if (words > 0) {
          const message = `${words} pieces of documents are not searchable yet`
          notices.once({ key: 'documents.catching_up', message, hint: 'ralph documents sync' })
        }
        return { changed }
      },
      withoutIndex: {
        message: 'documents are searched without their index',
        read: (look) => look(index.drafts()),
      },
      off: { key: 'documents.search', message: 'documents cannot be searched' },
    },
  )
}

async function presented(pieces: Pieces, hits: readonly Hit[], limit: number): Promise<FoundPiece[]> {
  const byId = await pieces.byId(hits.map(({ id }) => id))
  // Removed by another process since it was indexed.
  const there = hits.flatMap((hit) => {
    const piece = byId.get(hit.id)
    return piece ? [{ hit, piece }] : []
  })
  return withoutAlike(there, ({ piece }) => piece.text)
    .slice(0, limit)
    .map(([{ hit, piece }, alike]) => found(hit, piece, alike))
}

function found({ score, matched }: Hit, piece: Piece, alike: number): FoundPiece {
  return { piece, score, relevance: relevanceOf(score), matched, alike }
}
