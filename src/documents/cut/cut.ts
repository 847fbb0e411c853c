import { loadTokenizer } from '../../text/tokens.ts'
import type { DocumentFormat } from '../record.ts'
import type { Block, DocumentLine } from './block.ts'
import { markdownBlocks } from './markdown.ts'
import { type CutPiece, pack } from './pack.ts'
import { sourceBlocks } from './source.ts'
import { textBlocks } from './text.ts'

/** Blocks in pieces, each with the headings above it and where it stands. */
export async function cutPieces(blocks: readonly Block[]): Promise<CutPiece[]> {
  const { count } = await loadTokenizer()
  return pack(blocks, count)
}

/** What belongs together in a text of this kind. */
export function blocksOf(format: Exclude<DocumentFormat, 'pdf'>, lines: readonly DocumentLine[]): Block[] {
  switch (format) {
    case 'markdown':
      return markdownBlocks(lines)
    case 'source':
      return sourceBlocks(lines)
    case 'text':
      return textBlocks(lines)
  }
}
