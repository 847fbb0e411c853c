import { withoutAlike } from '../retrieval/alike.ts'
import { ask, withoutStrangers } from '../retrieval/ask.ts'
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

/** Key of the notice. */
const CATCHING_UP = 'documents.catching_up'
/** Copies crowd each other out. */
const MORE = 3

interface PieceQuestion {
  limit: number
  minScore: number
  signal?: AbortSignal | undefined
}

/** The best pieces, strongest first; what stands in several files is shown once. */
export async function searchPieces(
  parts: { index: DocumentIndex; pieces: Pieces },
  query: string,
  question: PieceQuestion,
): Promise<FoundPiece[]> {
  const { index } = parts
  return withoutStrangers((strangers) => found(parts, query, question, strangers), {
    notices: index.collection.parts.notices,
    of: 'documents',
    some: (ids) => index.remove(ids),
    all: () => index.removeForgotten(question.signal),
  })
}

async function found(
  { index, pieces }: { index: DocumentIndex; pieces: Pieces },
  query: string,
  { limit, minScore, signal }: PieceQuestion,
  strangers: Set<string>,
): Promise<FoundPiece[]> {
  const { notices } = index.collection.parts
  return ask<FoundPiece>(
    index.collection,
    { text: query, limit: limit * MORE, minScore, signal },
    {
      present: (hits) => presented(pieces, hits, limit, strangers),
      bringLevel: async () => {
        const { changed, waiting } = await index.catchUpInTime(signal)
        if (waiting > 0) {
          const message = `${waiting} pieces of documents are not searchable yet: each search goes on with them`
          notices.once({ key: CATCHING_UP, message, hint: 'ralph documents sync' })
        } else notices.recovered(CATCHING_UP)
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

async function presented(
  pieces: Pieces,
  hits: readonly Hit[],
  limit: number,
  strangers: Set<string>,
): Promise<FoundPiece[]> {
  const byId = await pieces.byId(hits.map(({ id }) => id))
  const there = hits.flatMap((hit) => {
    const piece = byId.get(hit.id)
    // Removed by another process since it was indexed, or put there by somebody else.
    if (!piece) strangers.add(hit.id)
    return piece ? [{ hit, piece }] : []
  })
  return withoutAlike(there, ({ piece }) => piece.text)
    .slice(0, limit)
    .map(([{ hit, piece }, alike]) => foundPiece(hit, piece, alike))
}

function foundPiece({ score, matched }: Hit, piece: Piece, alike: number): FoundPiece {
  return { piece, score, relevance: relevanceOf(score), matched, alike }
}
