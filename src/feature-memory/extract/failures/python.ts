import { type CodePlace, type Failure, type FailureFinder, failureMessage, following } from './failure.ts'

/** pytest: a block per failure, and a line per failure in the summary at the end; either may have been cut off. */
export const pytestFailures: FailureFinder = ({ lines, text }) => {
  if (!/^(?:FAILED|ERROR) \S+\.py|^_{3,} .+ _{3,}$/m.test(text)) return []
  const blocks = failureBlocks(lines)
  const failures: Failure[] = []
  for (const line of lines) {
    const match = /^(?:FAILED|ERROR) (\S+\.py)(?:::(\S+(?:\[.*\])?))?(?: - (.*))?$/.exec(line)
    if (!match) continue
    const [, file, test, summary] = match
    const key = test?.replaceAll('::', '.') ?? file!
    const block = blocks.get(key)
    blocks.delete(key)
    const message = block?.message || summary || 'failed'
    failures.push({
      type: 'test',
      message: failureMessage(`${test ?? file}:`, message),
      ...(block?.place ?? { file }),
    })
  }
  for (const [name, { message, place }] of blocks) {
    if (message) failures.push({ type: 'test', message: failureMessage(`${name}:`, message), ...place })
  }
  return failures
}

function failureBlocks(
  lines: readonly string[],
): Map<string, { message: string; place: CodePlace | undefined }> {
  const blocks = new Map<string, { message: string; place: CodePlace | undefined }>()
  lines.forEach((line, at) => {
    const title = /^_{3,} (?:ERROR (?:collecting|at (?:setup|teardown) of) )?(.+?) _{3,}$/.exec(line)?.[1]
    if (!title) return
    const body = following(lines, at, (next) => /^_{3,} .+ _{3,}$|^={3,} /.test(next), 200)
    const errors = body.filter((next) => /^E {2,}\S/.test(next)).map((next) => next.slice(1).trim())
    // The last place is where it was raised.
    const place = body.map((next) => /^(\S+\.py):(\d+): /.exec(next)).findLast(Boolean)
    blocks.set(title, {
      message: failureMessage(...errors.slice(0, 2)),
      place: place ? { file: place[1]!, line: Number(place[2]) } : undefined,
    })
  })
  return blocks
}

/** unittest: `FAIL: test_name (module.Class.test_name)` and a traceback. */
export const unittestFailures: FailureFinder = ({ lines, text }) => {
  if (!/^(?:FAIL|ERROR): \w+ \([\w.]+\)/m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const name = /^(?:FAIL|ERROR): (\w+) \([\w.]+\)/.exec(line)?.[1]
    if (!name) return []
    const traceback = following(lines, at, (next) => /^={10,}|^(?:Ran \d+ tests?|FAILED \()/.test(next), 200)
    const [raised] = pythonRaises(traceback)
    return [{ ...raised, type: 'test', message: failureMessage(`${name}:`, raised?.message ?? 'failed') }]
  })
}

/** Uncaught Python exceptions, and syntax errors, which have no traceback. */
export const pythonTracebacks: FailureFinder = ({ lines, text }) =>
  /^[^\S\n]*File ".+", line \d+/m.test(text) ? pythonRaises(lines) : []

function pythonRaises(lines: readonly string[]): Failure[] {
  const failures: Failure[] = []
  let place: CodePlace | undefined
  let unwinding = false
  let chained = false
  for (const line of lines) {
    const frame = /^\s*File "(.+)", line (\d+)/.exec(line)
    if (frame) {
      unwinding = true
      // `<string>` is code from the command line; what lies in a library is only the way there.
      const own = !/site-packages|dist-packages|^<|\/lib\/python/.test(frame[1]!)
      if (own) place = { file: frame[1]!, line: Number(frame[2]) }
      continue
    }
    if (/^(?:During handling of the above|The above exception was)/.test(line)) chained = true
    const raised = unwinding && RAISED.exec(line)
    if (!raised) continue
    // Of a chain only the last one got out.
    if (chained) failures.pop()
    chained = false
    failures.push({ type: syntaxOr(raised[1]!), message: failureMessage(line), ...place })
    place = undefined
    unwinding = false
  }
  return failures
}

const RAISED = /^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration)|[A-Z]\w*)(?:: ?(.*))?$/

function syntaxOr(name: string): Failure['type'] {
  return /^(?:Syntax|Indentation|Tab)Error$/.test(name) ? 'compile' : 'runtime'
}
