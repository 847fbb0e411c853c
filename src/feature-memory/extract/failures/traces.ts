import {
  type Failure,
  type FailureFinder,
  failureAt,
  failureMessage,
  following,
  isScriptFrame,
  scriptPlace,
} from './failure.ts'

/** Errors that Node printed with their stack: uncaught, or logged. */
export const scriptTraces: FailureFinder = ({ lines, text }) => {
  if (!/^[^\S\n]+at /m.test(text) && !/^(?:Syntax|Reference|Type|Range)Error: /m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const match =
      /^(?:Uncaught |\[?UnhandledPromiseRejection: |.{0,40}: )??((?:[A-Z]\w*)?(?:Error|Exception))(?: \[\w+\])?: (.+)$/.exec(
        line,
      )
    if (!match || /^\s/.test(line)) return []
    const rest = following(lines, at, (next) => next.trim() === '' || /^\S.*Error: /.test(next), 30)
    const stack = rest.filter(isScriptFrame)
    // A syntax error is told with the place above it and only Node's own frames below.
    const above = lines.slice(Math.max(0, at - 6), at).reverse()
    const place =
      scriptPlace(stack) ?? scriptPlace(above.filter((next) => /^\S+:\d+$/.test(next))) ?? importer(line)
    if (stack.length === 0 && !place) return []
    const more = following(rest, -1, isScriptFrame, 2)
    const type = match[1] === 'SyntaxError' ? 'compile' : 'runtime'
    return [{ type, message: failureMessage(`${match[1]}: ${match[2]}`, ...more), ...place }]
  })
}

/** A module that is not there is told with the one that wants it, but without a line. */
function importer(line: string): { file: string } | undefined {
  const file = / imported from (\S+)/.exec(line)?.[1]
  return file ? { file } : undefined
}

/** Uncaught exceptions of the Java, Ruby and PHP runtimes. */
export const otherTraces: FailureFinder = ({ lines, text }) => {
  if (!/^Exception in thread |\.rb:\d+:in |(?:Fatal|Parse) error: /m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const java = /^Exception in thread "[^"]*" ([\w.$]+)(?:: (.*))?$/.exec(line)
    if (java) {
      const frame = /\((\w+\.(?:java|kt|scala)):(\d+)\)/.exec(following(lines, at, () => false, 1)[0] ?? '')
      return [failureAt('runtime', `${java[1]}: ${java[2] ?? ''}`, frame?.[1], frame?.[2])]
    }
    const ruby = /^(\S+\.rb):(\d+):in [`'].*': (.+)$/.exec(line)
    if (ruby) return [failureAt('runtime', ruby[3], ruby[1], ruby[2])]
    const php = /^(?:PHP )?((?:Fatal|Parse) error: .+?) in (\S+?\.php)(?: on line |:)(\d+)/.exec(line)
    return php ? [failureAt('runtime', php[1], php[2], php[3])] : []
  })
}
