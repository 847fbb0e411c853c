import { diffParts, type FileDiff, readFileDiff } from '../text/unified-diff.ts'

/** The change that waits at a gate, file by file. */
export interface ReadableChange {
  /** A commit's message, or all of a change that is no diff. */
  introduction: string
  files: FileDiff[]
  /** Our own files that are not shown. */
  leftOut: string[]
}

/**
 * Data that we write ourselves while an agent works. Settings are not among it, and no file that could be a program:
 * nothing that somebody has to judge hides there.
 */
const OURS = /(?:^|\/)\.ralph\/(?:db|cache|receipts)\/.*\.(?:yaml|jsonl|json|torn|lock|db)$/

/** Without our own files, which are no work to be judged; `whole`: with them. */
export function readableChange(
  change: string,
  options: { whole?: boolean | undefined } = {},
): ReadableChange {
  const { introduction, files } = diffParts(change)
  const [shown, ours] = parted(files)
  return {
    introduction: introduction.trim(),
    files: (options.whole ? files : shown).map(readFileDiff),
    leftOut: options.whole ? [] : ours.map((part) => readFileDiff(part).path),
  }
}

/** The same as text, for a terminal. */
export function changeText(change: string): { text: string; leftOut: string[] } {
  const { introduction, files } = diffParts(change)
  const [shown, ours] = parted(files)
  return { text: introduction + shown.join(''), leftOut: ours.map((part) => readFileDiff(part).path) }
}

function parted(files: readonly string[]): [shown: string[], ours: string[]] {
  const isOurs = (part: string) => {
    const { path, formerly = path } = readFileDiff(part)
    return OURS.test(path) && OURS.test(formerly)
  }
  return [files.filter((part) => !isOurs(part)), files.filter(isOurs)]
}
