/** A line of a change: added, removed, or there before and after, with its number on each side that has it. */
export interface DiffLine {
  mark: '+' | '-' | ' '
  before?: number
  after?: number
  text: string
}

/** Lines that lie together. */
export interface DiffHunk {
  /** What the diff says of where they are, e.g. the function. */
  place: string
  lines: DiffLine[]
}

/** What happened to one file. */
export interface FileDiff {
  path: string
  /** What it was called before, where that is another name. */
  formerly?: string
  kind: 'added' | 'deleted' | 'renamed' | 'changed'
  /** Its content is not shown as lines. */
  binary: boolean
  added: number
  removed: number
  hunks: DiffHunk[]
}

/** A diff in parts, as text. Together they are the whole. */
export interface DiffParts {
  /** What stands before the first file: a commit's message, or all of a text that is no diff. */
  introduction: string
  files: string[]
}

const FILE_START = /^diff --(?:git|cc|combined) /m
const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/

export function diffParts(text: string): DiffParts {
  const first = text.search(FILE_START)
  if (first === -1) return { introduction: text, files: [] }
  return {
    introduction: text.slice(0, first),
    files: text.slice(first).split(/^(?=diff --(?:git|cc|combined) )/m),
  }
}

/** Reads the part of one file. Forgiving: a change may have been cut short, or masked, before it was kept. */
export function readFileDiff(part: string): FileDiff {
  const lines = part.replace(/\n$/, '').split('\n')
  const from = lines.findIndex((line) => line.startsWith('@@'))
  const head = from === -1 ? lines : lines.slice(0, from)
  const hunks = from === -1 ? [] : readHunks(lines.slice(from))
  const changed = hunks.flatMap((hunk) => hunk.lines)
  return {
    ...namesOf(head),
    binary: head.some((line) => /^(?:Binary files |GIT binary patch)/.test(line)),
    added: changed.filter(({ mark }) => mark === '+').length,
    removed: changed.filter(({ mark }) => mark === '-').length,
    hunks,
  }
}

function namesOf(head: readonly string[]): Pick<FileDiff, 'path' | 'formerly' | 'kind'> {
  const said = (start: string) => {
    const line = head.find((one) => one.startsWith(start))
    return line === undefined ? undefined : unquoted(line.slice(start.length))
  }
  const [before, after] = [said('--- '), said('+++ ')].map(withoutSide)
  const renamedFrom = said('rename from ') ?? said('copy from ')
  const path = said('rename to ') ?? said('copy to ') ?? after ?? before ?? pathOfFirstLine(head[0] ?? '')
  if (renamedFrom !== undefined) return { path, formerly: renamedFrom, kind: 'renamed' }
  if (head.some((line) => line.startsWith('new file mode'))) return { path, kind: 'added' }
  if (head.some((line) => line.startsWith('deleted file mode'))) return { path, kind: 'deleted' }
  return { path, kind: 'changed' }
}

/** `a/src/x.ts` is `src/x.ts`; the side on which a file does not exist names none. */
function withoutSide(name: string | undefined): string | undefined {
  if (name === undefined || name === '/dev/null') return undefined
  return name.replace(/\t.*$/, '').replace(/^[abciow]\//, '')
}

/** For a file of which nothing else is said, e.g. an empty one: both halves of the line are the same name. */
function pathOfFirstLine(line: string): string {
  const names = line.replace(/^diff --(?:git|cc|combined) /, '')
  const half = names.slice(0, (names.length - 1) / 2)
  const second = names.slice(half.length + 1)
  const isTwice = withoutSide(unquoted(half)) === withoutSide(unquoted(second))
  return withoutSide(unquoted(isTwice ? second : names)) ?? names
}

/** Git writes names with unusual characters in quotes, their bytes as octal numbers. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [piece] of name.slice(1, -1).matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/gs)) {
    if (/^\\[0-3]/.test(piece)) bytes.push(Number.parseInt(piece.slice(1), 8))
    else bytes.push(...encoder.encode(piece.startsWith('\\') ? (ESCAPES[piece] ?? piece.slice(1)) : piece))
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
const ESCAPES: { readonly [written: string]: string } = { '\\n': '\n', '\\t': '\t', '\\r': '\r' }

function readHunks(lines: readonly string[]): DiffHunk[] {
  const hunks: DiffHunk[] = []
  let [before, after] = [1, 1]
  for (const line of lines) {
    const start = HUNK.exec(line)
    if (start || line.startsWith('@@')) {
      if (start) [before, after] = [Number(start[1]), Number(start[3])]
      hunks.push({ place: start ? start[5]! : line, lines: [] })
      continue
    }
    // "\ No newline at end of file" is about the line above it.
    if (line.startsWith('\\')) continue
    const shown = hunks.at(-1)!.lines
    if (line.startsWith('+')) shown.push({ mark: '+', after: after++, text: line.slice(1) })
    else if (line.startsWith('-')) shown.push({ mark: '-', before: before++, text: line.slice(1) })
    else shown.push({ mark: ' ', before: before++, after: after++, text: line.slice(1) })
  }
  return hunks
}
