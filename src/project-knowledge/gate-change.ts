import { diffParts, type FileDiff, readFileDiff } from '../text/unified-diff.ts'

/** The change that waits at a gate, file by file. */
export interface ReadableChange {
  /** A commit's message, or all of a change that is no diff. */
  introduction: string
  files: FileDiff[]
  /** Our own files that are not shown. */
  leftOut: string[]
}

/** What we write ourselves while an agent works. Settings are not among them: whoever changes those is looked at. */
const OURS = /(?:^|\/)\.ralph\/(?:db|cache|receipts)\//

/** Without our own files, which are no work to be judged; `whole`: with them. */
export function readableChange(
  change: string,
  options: { whole?: boolean | undefined } = {},
): ReadableChange {
  const { introduction, files } = diffParts(change)
  const read = files.map(readFileDiff)
  const isShown = ({ path }: FileDiff) => options.whole === true || !OURS.test(path)
  return {
    introduction: introduction.trim(),
    files: read.filter(isShown),
    leftOut: read.filter((file) => !isShown(file)).map(({ path }) => path),
  }
}

/** The same as text, for a terminal. */
export function changeText(change: string): { text: string; leftOut: string[] } {
  const { introduction, files } = diffParts(change)
  const isShown = (part: string) => !OURS.test(readFileDiff(part).path)
  const { leftOut } = readableChange(change)
  return { text: introduction + files.filter(isShown).join(''), leftOut }
}
