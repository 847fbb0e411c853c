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
const OURS =
  /^(?:(?:db|cache|receipts)\/.*\.(?:yaml|jsonl|json|torn|lock|db)|project\.json|(?:[^/]+\/)*\.git(?:ignore|attributes))$/
/** Of a path, what comes after the folder. */
const IN_RALPH = /(?:^|\/)\.ralph\/(.*)/s

const isInRalph = (path: string) => IN_RALPH.test(path)
const isOurs = (path: string) => OURS.test(IN_RALPH.exec(path)?.[1] ?? '')

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

export interface ChangeText {
  text: string
  /** Files of `.ralph` that are not in it. */
  leftOut: string[]
  /** Those among them that are more than what we write ourselves, such as settings: somebody has to judge them, too. */
  toJudge: string[]
}

/** The same as text, for a terminal; without all that lies in `.ralph`, which is no work, unless it is wanted whole. */
export function changeText(change: string, options: { whole?: boolean | undefined } = {}): ChangeText {
  const { introduction, files } = diffParts(change)
  const [shown, ours] = options.whole ? [files, []] : parted(files, isInRalph)
  const leftOut = ours.map((part) => readFileDiff(part).path)
  const [toJudge] = parted(ours)
  return {
    text: introduction + shown.join(''),
    leftOut,
    toJudge: toJudge.map((part) => readFileDiff(part).path),
  }
}

function parted(files: readonly string[], isOfOurs = isOurs): [shown: string[], ours: string[]] {
  const isLeftOut = (part: string) => {
    const { path, formerly = path } = readFileDiff(part)
    return isOfOurs(path) && isOfOurs(formerly)
  }
  return [files.filter((part) => !isLeftOut(part)), files.filter(isLeftOut)]
}
