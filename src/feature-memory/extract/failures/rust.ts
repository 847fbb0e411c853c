import { type Failure, type FailureFinder, failureAt, failureMessage, following } from './failure.ts'

/** What cargo and rustc say after the errors themselves. */
const CLOSING = /^(?:aborting due to|could not compile|test failed|build failed|\d+ (?:target|previous))/

/** rustc, cargo, clippy: `error[E0308]: …` and the place below it. */
export const rustErrors: FailureFinder = ({ lines, text, command }) => {
  if (!/^error(?:\[E\d+\])?: /m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const match = /^error(?:\[(E\d+)\])?: (.+)$/.exec(line)
    if (!match || CLOSING.test(match[2]!)) return []
    const body = following(lines, at, (next) => next === '' || /^(?:error|warning)[[:]/.test(next), 40)
    const place = body.map((next) => /^\s*--> (.+?):(\d+):\d+$/.exec(next)).find(Boolean)
    // Other programs say "error: …" too; a place, or cargo itself, makes it Rust's.
    if (!place && !/\b(?:cargo|rustc)\b/.test(command)) return []
    const lint = body.some((next) => /clippy(?:::|\/)/.test(next))
    const message = match[1] ? `${match[1]}: ${match[2]}` : match[2]
    return [failureAt(lint ? 'lint' : 'compile', message, place?.[1], place?.[2])]
  })
}

/** Panics, of tests and of programs. Newer versions put the place first and the message on the next line. */
export const rustPanics: FailureFinder = ({ lines, text }) => {
  if (!text.includes('panicked at ')) return failedTestNames(lines)
  const testing = /^(?:running \d+ tests?|test result: )/m.test(text)
  return lines.flatMap((line, at): Failure[] => {
    const modern = /^\s*thread '(.+?)'(?: \(\d+\))? panicked at (\S+?):(\d+):\d+:$/.exec(line)
    const old = /^\s*thread '(.+?)' panicked at '(.*)', (\S+?):(\d+):\d+$/.exec(line)
    if (!modern && !old) return []
    const thread = (modern ?? old)![1]!
    const isTest = testing && thread !== 'main'
    const told = following(
      lines,
      at,
      (next) => next === '' || /^(?:note:|stack backtrace:|----)/.test(next),
      4,
    )
    const message = modern ? failureMessage(...told) : old![2]!
    const [file, place] = modern ? [modern[2], modern[3]] : [old![3], old![4]]
    const type = isTest ? 'test' : 'runtime'
    return [failureAt(type, `${isTest ? thread : 'panicked'}: ${message}`, file, place)]
  })
}

function failedTestNames(lines: readonly string[]): Failure[] {
  return lines.flatMap((line): Failure[] => {
    const name = /^test (\S+) \.\.\. FAILED$/.exec(line)?.[1]
    return name ? [{ type: 'test', message: `${name}: failed` }] : []
  })
}
