import {
  type Failure,
  type FailureFinder,
  failureMessage,
  following,
  isScriptFrame,
  scriptPlace,
} from './failure.ts'

const isRule = (line: string) => /^⎯{3,}/.test(line.trim())
const isOfJest = (text: string) => text.includes('● ') && /^\s+● /m.test(text)

/** vitest: a section per failure, `FAIL  file > suite > test`, the error, the places. */
export const vitestFailures: FailureFinder = ({ lines, text }) => {
  if (!/^[^\S\n]*(?:FAIL +\S|×\s|→\s)/m.test(text) || isOfJest(text)) return []
  const failures: Failure[] = []
  lines.forEach((line, at) => {
    const match = /^ *FAIL +(?:\|[^|]+\| +)?(\S.*)$/.exec(line)
    // Several tests with one error share a section: the last title stands before it.
    if (!match || /^ *FAIL /.test(lines[at + 1] ?? '')) return
    const body = following(lines, at, isRule)
    const message = following(body, -1, (next) => isScriptFrame(next) || next.trim() === '', 3)
    if (message.length === 0) return
    failures.push({
      type: 'test',
      message: failureMessage(`${title(match[1]!)}:`, ...message),
      ...scriptPlace(body),
    })
  })
  return failures.length > 0 ? failures : listedFailures(lines)
}

/** A suite that could not be loaded names its file twice: `a.test.ts [ a.test.ts ]`. */
function title(text: string): string {
  return text.replace(/ \[ .+ \]$/, '')
}

/** What is left when the end of the output was cut off: the list of tests, each with a short message. */
function listedFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = []
  let file: string | undefined
  lines.forEach((line, at) => {
    file = /^\s*❯ (\S+\.[cm]?[jt]sx?) \(\d+ tests?/.exec(line)?.[1] ?? file
    const test = /^\s*× (.+?)(?: \d+m?s)?$/.exec(line)?.[1]
    const message = /^\s*→ (.+)$/.exec(lines[at + 1] ?? '')?.[1]
    if (test && (file || message))
      failures.push({ type: 'test', message: failureMessage(`${test}:`, message ?? 'failed'), file })
  })
  return failures
}

/** jest: `● suite › test`, the matcher's report, a code frame, the stack. */
export const jestFailures: FailureFinder = ({ lines, text }) => {
  if (!isOfJest(text)) return []
  const failures: Failure[] = []
  let file: string | undefined
  lines.forEach((line, at) => {
    file = /^\s*FAIL\s+(?:\S+ )??(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file
    const name = /^\s{2}● (.+)$/.exec(line)?.[1]
    if (!name || /^(?:Console|Validation Warning|Deprecation Warning|Cannot log after)/.test(name)) return
    const body = following(lines, at, (next) =>
      /^\s{2}● |^\s*(?:FAIL|PASS)\s|^Tests?(?: Suites)?:/.test(next),
    )
    const message = body
      .filter((next) => !isCodeFrame(next) && !isScriptFrame(next) && next.trim() !== '')
      .slice(0, 3)
    const place = scriptPlace(body.filter(isScriptFrame)) ?? (file ? { file } : undefined)
    if (message.length > 0)
      failures.push({ type: 'test', message: failureMessage(`${titled(name, file)}:`, ...message), ...place })
  })
  return failures
}

function titled(name: string, file: string | undefined): string {
  return name === 'Test suite failed to run' && file ? file : name
}

function isCodeFrame(line: string): boolean {
  return /^\s*(?:>\s*)?\d* \|/.test(line)
}

/** mocha: numbered failures after the count, title lines down to one that ends with a colon. */
export const mochaFailures: FailureFinder = ({ lines, text }) => {
  if (!text.includes(' failing') || !/^[^\S\n]*\d+ failing$/m.test(text)) return []
  const start = lines.findIndex((line) => /^[^\S\n]*\d+ failing$/.test(line))
  const failures: Failure[] = []
  lines.forEach((line, at) => {
    const match = at > start ? /^\s+\d+\) (.+)$/.exec(line) : null
    if (!match) return
    const body = [match[1]!, ...following(lines, at, (next) => /^\s+\d+\) /.test(next))]
    const end = body.findIndex((next) => next.endsWith(':'))
    if (end === -1) return
    const name = failureMessage(...body.slice(0, end + 1))
    const message = body
      .slice(end + 1)
      .filter((next) => next.trim() !== '' && !isScriptFrame(next) && !/^\s*[+-]/.test(next))
    const place = scriptPlace(body.filter(isScriptFrame))
    failures.push({ type: 'test', message: failureMessage(name, ...message.slice(0, 2)), ...place })
  })
  return failures
}
