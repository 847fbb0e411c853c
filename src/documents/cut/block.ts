/** A line of a document, after secrets were masked in it. */
export interface DocumentLine {
  text: string
  /** Its number in the file, or of a PDF its page; from 1. */
  at: number
}

/** What belongs together: a heading, a paragraph, a list, a table, a piece of code. */
export interface Block {
  lines: readonly DocumentLine[]
  /** Of a heading, 1 for the outermost. */
  level?: number
  /** What a heading says, or what is declared here. */
  name?: string
}

/** Blocks as they stand between blank lines. */
export function paragraphs(lines: readonly DocumentLine[]): DocumentLine[][] {
  const found: DocumentLine[][] = []
  let current: DocumentLine[] = []
  for (const line of lines) {
    if (line.text.trim() !== '') current.push(line)
    else if (current.length > 0) {
      found.push(current)
      current = []
    }
  }
  if (current.length > 0) found.push(current)
  return found
}
