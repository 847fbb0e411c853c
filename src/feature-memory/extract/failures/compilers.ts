import { type Failure, type FailureFinder, failureAt, following } from './failure.ts'

/** tsc (both styles) and the compilers of .NET, which report alike. */
export const typeScriptErrors: FailureFinder = ({ lines, text }) => {
  if (!/\berror [A-Z]+\d+: /.test(text)) return []
  return lines.flatMap((line): Failure[] => {
    const match =
      // Behind the prefix of a runner of several packages.
      /^\S[^(]*?[:|] +(\S+?)\((\d+),\d+\): ()()error ([A-Z]+\d+): (.+)$/.exec(line) ??
      /^\s*(?:(\S.*?)\((\d+),\d+\): |(\S.*?):(\d+):\d+ - )?error ([A-Z]+\d+): (.+)$/.exec(line)
    if (!match) return []
    const message = `${match[5]}: ${match[6]!.replace(/ \[[^\]]+proj\]$/, '')}`
    return [failureAt('compile', message, match[1] ?? match[3], match[2] ?? match[4])]
  })
}

/** `file:line[:column]: error: message`: gcc, clang, swiftc, javac, mypy; with ` - error:` pyright. */
export const placedErrors: FailureFinder = ({ lines, text }) => {
  if (!/ error: /.test(text)) return []
  return lines.flatMap((line): Failure[] => {
    const match = /^\s*((?:[A-Za-z]:)?[^\s:()]+):(\d+)(?::\d+)?(?:: (?:fatal )?| - )error: (.+)$/.exec(line)
    return match ? [failureAt('compile', match[3], match[1], match[2])] : []
  })
}

/** Bundlers put the place below the message, or above it. */
export const bundlerErrors: FailureFinder = ({ lines, text }) => {
  if (!/\[ERROR\] |^ERROR in |^(?:Type|Syntax) error: |^Failed to compile/m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const esbuild = /^✘ \[ERROR\] (.+)$/.exec(line)
    if (esbuild) {
      const place = following(lines, at, (next) => /^✘ /.test(next), 4)
        .map((next) => /^\s+(\S+?):(\d+):\d+:$/.exec(next))
        .find(Boolean)
      return [failureAt('compile', esbuild[1], place?.[1], place?.[2])]
    }
    const webpack = /^ERROR in (\S+\.\w+)(?:[ :](\d+):\d+(?:-\d+)*)?$/.exec(line)
    if (webpack) return [failureAt('compile', lines[at + 1] ?? 'failed to compile', webpack[1], webpack[2])]
    const next = /^(?:Type|Syntax) error: (.+)$/.exec(line)
    const above = /^(\.\/\S+):(\d+):\d+$/.exec(lines[at - 1] ?? '')
    return next && above ? [failureAt('compile', next[1], above[1], above[2])] : []
  })
}
