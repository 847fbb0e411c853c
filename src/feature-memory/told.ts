import type { Draft, DraftParts } from '../retrieval/draft.ts'
import { sha256 } from '../text/ids.ts'
import { MARK } from '../text/truncate.ts'
import { errorsAndDecisions, type IterationRecord, RECORD_CAPS } from './record.ts'

/** What a feature's memory is found by: all of its words, and its meaning as a whole, in short and in pieces. */

/** Raised when something is found by more, or by other things, than before: then it is indexed again. */
export const MADE = 5

/** Of what is embedded. */
export function embeddedHash(text: string): string {
  return sha256(`${MADE}\n${text}`)
}

/**
 * The words to search: everything that was said and committed, less of what was said on the way; and the names of the files, which
 * people ask for by name.
 */
export function searchedWords(record: IterationRecord): Pick<Draft, 'searched' | 'beside' | 'names'> {
  const { taskTitle, summary, said = '', committed = [], filesTouched } = record
  return {
    searched: [taskTitle, summary, ...committed, ...errorsAndDecisions(record)].join('\n'),
    beside: said,
    names: filesTouched.map(({ path }) => path).join('\n'),
  }
}

/** An embedder looks at no more than this of a text. */
const PIECE = 900
const MOST_PIECES = 3

/**
 * Errors and decisions blur what an iteration was about, and of a long account only the beginning is embedded: so the title, the
 * title with the summary, and pieces from all over it are embedded by themselves. So is what it committed: often nobody
 * said better in short what a run did.
 */
export function partsOf(record: IterationRecord): DraftParts {
  const { taskTitle, summary, said = '' } = record
  const inShort = `${taskTitle}\n${summary}`
  const hasMore = errorsAndDecisions(record).length > 0 && inShort.length <= PIECE
  const account = [withoutMark(summary), said].filter(Boolean).join('\n')
  const committed = subjectsOf(record)
  return {
    inShort: [taskTitle, ...(hasMore ? [inShort] : []), ...(committed === '' ? [] : [committed])],
    pieces: account.length > PIECE ? spread(piecesOf(account), MOST_PIECES) : [],
  }
}

/** First lines, as in a log. */
function subjectsOf({ committed = [] }: IterationRecord): string {
  const subjects = committed.map((message) => message.split('\n')[0]!)
  return subjects.join('\n').slice(0, PIECE).toWellFormed()
}

function withoutMark(summary: string): string {
  return summary.length > RECORD_CAPS.summary - MARK.length && summary.endsWith(MARK)
    ? summary.slice(0, -MARK.length)
    : summary
}

/** Whole lines as far as they fit. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of text.split('\n')) {
    if (piece !== '' && piece.length + line.length > PIECE) {
      pieces.push(piece)
      piece = ''
    }
    let rest = line
    for (; rest.length > PIECE; rest = rest.slice(PIECE)) pieces.push(rest.slice(0, PIECE))
    piece = piece === '' ? rest : `${piece}\n${rest}`
  }
  return piece.trim() === '' ? pieces : [...pieces, piece]
}

/** So many of them, at even distances. */
function spread(pieces: readonly string[], most: number): string[] {
  if (pieces.length <= most) return [...pieces]
  return Array.from({ length: most }, (_, at) => pieces[Math.floor((at * pieces.length) / most)]!)
}
