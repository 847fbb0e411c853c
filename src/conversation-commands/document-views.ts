import { z } from 'zod'
import { quotedPlace } from '../documents/context.ts'
import type { Documents } from '../documents/documents.ts'
import { type FoundPiece, type Piece, placeText } from '../documents/record.ts'
import { RalphError } from '../errors.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'
import { dataLine, dataLines, quoted } from '../text/quote.ts'
import { ambiguousId, idOfKind, shortId } from '../text/short-id.ts'
import { shorten } from '../text/truncate.ts'

/** How pieces of the person's documents look to a model. */

export const PieceView = z.object({
  piece_id: z.string(),
  file: z.string(),
  heading: z.string(),
  similarity: z.number(),
  text: z.string(),
})
export type PieceView = z.infer<typeof PieceView>

/** Enough to be cut to any length that is shown. */
const LOOKED_AT = 3_000

/** With its texts made safe once, however often they are cut to size afterwards. */
export function pieceView({ piece, score }: FoundPiece): PieceView {
  return {
    piece_id: shortId('piece', piece.id),
    file: quotedPlace(piece),
    heading: dataLine([...new Set([piece.title, ...piece.headings])].join(' › ')),
    similarity: Math.round(score * 100) / 100,
    text: dataLine(piece.text.slice(0, LOOKED_AT)),
  }
}

export function cutPieceView(view: PieceView, most: { title: number; text: number }): PieceView {
  return { ...view, heading: shorten(view.heading, most.title), text: shorten(view.text, 2 * most.text) }
}

export function pieceViewText(view: PieceView): string {
  return [
    `- document ${view.file} (piece ${view.piece_id}; similarity ${view.similarity})`,
    `  under: ${quoted(view.heading, LOOKED_AT)}`,
    `  says: ${quoted(view.text, LOOKED_AT)}`,
  ].join('\n')
}

export function pieceReceipt({ piece, score, matched }: FoundPiece, text: string): ReceiptItem {
  return {
    kind: 'document',
    source: `document ${placeText(piece.path, piece.place)}`,
    why: `found by ${matched.join(' and ')}`,
    score,
    text,
  }
}

/** What of the documents the tools ask. */
export type AskedDocuments = Pick<Documents, 'search' | 'around'> & {
  pieces: Pick<Documents['pieces'], 'like'>
}

/** A piece with what stands before and after it, to be read on. */
export async function pieceDetails(documents: AskedDocuments, typed: string) {
  const [named, ...others] = await documents.pieces.like(idOfKind('piece', typed))
  if (!named) {
    throw new RalphError('not_found', `there is no piece ${JSON.stringify(typed)} of a document`, {
      hint: 'Use a piece_id that search_conversations gave.',
    })
  }
  if (others.length > 0) throw ambiguousId(typed, [named, ...others].map(candidate))
  const around = await documents.around(named.id)
  return {
    documentTitle: dataLine(named.title),
    file: quotedPlace(named),
    pieces: around.map((piece) => ({
      pieceId: shortId('piece', piece.id),
      ...piece.place,
      heading: dataLine(piece.headings.join(' › ')),
      text: dataLines(piece.text),
      ...(piece.id === named.id && { asked: true }),
    })),
    hint: 'To read on, ask for the first or last of these pieces, or open the file.',
  }
}

function candidate(piece: Piece) {
  return { kind: 'piece' as const, id: piece.id, line: placeText(piece.path, piece.place) }
}
