import { type Failure, type FailureFinder, failureAt, failureMessage, following } from './failure.ts'

/** `go test`: log lines after `--- FAIL`, or, with -v, before it. */
export const goTestFailures: FailureFinder = ({ lines, text }) => {
  if (!text.includes('--- FAIL: ') || !/^[^\S\n]*--- FAIL: /m.test(text)) return []
  const failures: Failure[] = []
  lines.forEach((line, at) => {
    const match = /^(\s*)--- FAIL: (\S+)/.exec(line)
    if (!match) return
    const name = match[2]!
    // The failing part is reported itself.
    if (lines.slice(at + 1).some((next) => /^[^\S\n]*--- FAIL: /.test(next) && next.includes(` ${name}/`)))
      return
    const after = following(lines, at, (next) => /^\s*--- |^(?:FAIL|ok|PASS|=== )/.test(next), 30)
    const log = logOf(after) ?? logOf(linesOfRun(lines, at, name))
    failures.push({
      type: 'test',
      message: failureMessage(`${name}:`, log?.message ?? 'failed'),
      file: log?.file,
      line: log?.line,
    })
  })
  return failures
}

function linesOfRun(lines: readonly string[], at: number, name: string): string[] {
  const start = lines
    .slice(0, at)
    .findLastIndex((line) => line.startsWith('=== RUN') && line.endsWith(` ${name}`))
  return start === -1 ? [] : lines.slice(start + 1, at)
}

function logOf(lines: readonly string[]): { message: string; file: string; line: number } | undefined {
  const at = lines.findIndex((line) => /^\s+\S+\.go:\d+:/.test(line))
  const match = /^\s+(\S+\.go):(\d+):\s?(.*)$/.exec(lines[at] ?? '')
  if (!match) return undefined
  // testify tells it in a block: "Error: Not equal:" and what was expected.
  const told = match[3] ? [match[3]] : testifyError(lines.slice(at + 1))
  return { file: match[1]!, line: Number(match[2]), message: failureMessage(...told) }
}

function testifyError(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => /^\s+Error:\s/.test(line))
  if (start === -1) return lines.slice(0, 1)
  return lines.slice(start, start + 3).map((line) => line.replace(/^\s+Error:\s+/, ''))
}

/** `go build`, `go vet`, golangci-lint: `./main.go:10:2: undefined: foo`. */
export const goErrors: FailureFinder = ({ lines, command }) => {
  const type = /\bgo vet\b|golangci-lint|staticcheck/.test(command) ? 'lint' : 'compile'
  return lines.flatMap((line): Failure[] => {
    const match = /^(?:vet: )?((?:\.{1,2}\/)?[\w./@-]+\.go):(\d+):\d+: (.+)$/.exec(line)
    if (!match || /^warning:/.test(match[3]!)) return []
    return [failureAt(type, match[3], match[1], match[2])]
  })
}

export const goPanics: FailureFinder = ({ lines, text }) => {
  if (!/^goroutine \d+ \[/m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const message = /^(?:panic|fatal error): (.+)$/.exec(line)?.[1]
    if (!message || /\[recovered\]$/.test(message)) return []
    const frames = following(lines, at, (next) => /^exit status/.test(next))
    const place = frames
      .map((next) => /^\t(\S+\.go):(\d+)/.exec(next))
      .find((match) => match && !/\/(?:go|golang)\/src\/|\/pkg\/mod\//.test(match[1]!))
    return [failureAt('runtime', `panic: ${message}`, place?.[1], place?.[2])]
  })
}
