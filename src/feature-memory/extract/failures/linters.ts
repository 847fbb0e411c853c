import { type Failure, type FailureFinder, failureAt, following } from './failure.ts'

/** eslint's default report: the file on a line of its own, its problems indented below. Warnings are none. */
export const eslintErrors: FailureFinder = ({ lines, text }) => {
  if (!/^[^\S\n]+\d+:\d+\s+(?:error|✖)\s/m.test(text))
    return text.includes('[Error/') ? compactErrors(lines) : []
  let file: string | undefined
  return lines.flatMap((line): Failure[] => {
    if (/^\S.*\.\w+$/.test(line)) file = line
    const match = /^\s+(\d+):\d+\s+(?:error|✖)\s+(.+?)(?:\s{2,}(\S+))?$/.exec(line)
    if (!match || !file) return []
    const rule = match[3] ? ` (${match[3]})` : ''
    return [failureAt('lint', match[2] + rule, file, match[1])]
  })
}

/** `file:line:column: message [Error/rule]`. */
function compactErrors(lines: readonly string[]): Failure[] {
  return lines.flatMap((line): Failure[] => {
    const match = /^(\S.*?):(\d+):\d+: (.+) \[Error\/(\S+)\]$/.exec(line)
    return match ? [failureAt('lint', `${match[3]} (${match[4]})`, match[1], match[2])] : []
  })
}

/** biome: a rule line with place and category, then `×` and the message; `!` is a warning. */
export const biomeErrors: FailureFinder = ({ lines, text }) => {
  if (!/━{3,}$/m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const match =
      /^(\S.*?)(?::(\d+):\d+)? ((?:lint|assist|suppressions)\/\S+|format|parse|organizeImports)\b.*━{3,}$/.exec(
        line,
      )
    if (!match) return []
    const message = following(lines, at, (next) => /━{3,}$/.test(next), 6)
      .map((next) => /^\s*[×✖] (.+)$/.exec(next)?.[1])
      .find(Boolean)
    if (!message) return []
    const type = match[3] === 'parse' ? 'compile' : 'lint'
    return [failureAt(type, `${message.replace(/:$/, '')} (${match[3]})`, match[1], match[2])]
  })
}

/** ruff, flake8, pylint: `file:line:column: CODE message`; ruff's long report has the place below. */
export const pythonLintErrors: FailureFinder = ({ lines, text }) => {
  if (!/\b[A-Z]{1,4}\d{3,4}:? |SyntaxError: |^invalid-syntax: /m.test(text)) return []
  return lines.flatMap((line, at): Failure[] => {
    const short =
      /^(\S+\.(?:pyi?|ipynb)):(\d+):\d+: ([A-Z]{1,4}\d{3,4}|SyntaxError|invalid-syntax):? (?:\[\*\] )?(.+)$/.exec(
        line,
      )
    // pylint's conventions and refactorings are opinions, not errors.
    if (short) return /^[CR]\d{4}$/.test(short[3]!) ? [] : [lint(short[3]!, short[4]!, short[1]!, short[2]!)]
    const long = /^([A-Z]{1,4}\d{3,4}|invalid-syntax):? (?:\[\*\] )?(.+)$/.exec(line)
    const place = long && /^\s*--> (.+?):(\d+):\d+$/.exec(lines[at + 1] ?? '')
    return place ? [lint(long[1]!, long[2]!, place[1]!, place[2]!)] : []
  })
}

function lint(code: string, message: string, file: string, line: string): Failure {
  return failureAt(/syntax/i.test(code) ? 'compile' : 'lint', `${code}: ${message}`, file, line)
}
