import {
  type Failure,
  type FailureFinder,
  failureMessage,
  following,
  isScriptFrame,
  scriptPlace,
} from './failure.ts'

/** node:test, and other producers of TAP. */
export const tapFailures: FailureFinder = ({ lines, text }) => {
  if (!text.includes('not ok ')) return []
  const failures: Failure[] = []
  lines.forEach((line, at) => {
    const match = /^(\s*)not ok \d+(?: -)? (.*)$/.exec(line)
    if (!match || /\s# (?:TODO|SKIP)\b/i.test(match[2]!)) return
    const details = diagnostics(lines, at)
    // Its failing parts are reported themselves.
    if (/subtestsFailed|cancelledByParent/.test(details.get('failureType') ?? '')) return
    const name = match[2]!.replace(/\s#.*$/, '')
    const place = scriptPlace([...(details.get('stack') ?? '').split('\n'), details.get('location') ?? ''])
    failures.push({ type: 'test', message: failureMessage(`${name}:`, thrown(details)), ...place })
  })
  return failures
}

function thrown(details: Map<string, string>): string {
  const error = details.get('error') ?? 'failed'
  const name = details.get('name')
  return name && name !== 'Error' && !error.startsWith(name) ? `${name}: ${error}` : error
}

/** The YAML block after a test line, as far as node:test writes YAML: quoted values and indented blocks. */
function diagnostics(lines: readonly string[], at: number): Map<string, string> {
  const details = new Map<string, string>()
  if (lines[at + 1]?.trim() !== '---') return details
  const indent = /^\s*/.exec(lines[at + 1]!)![0].length
  let key = ''
  for (const line of following(lines, at + 1, (next) => next.trim() === '...')) {
    const field = new RegExp(`^\\s{${indent}}(\\w+):(?: (.*))?$`).exec(line)
    if (field) {
      key = field[1]!
      const value = field[2] ?? ''
      details.set(
        key,
        /^[|>]-?$/.test(value) ? '' : value.replace(/^(['"])(.*)\1$/, '$2').replaceAll('\\"', '"'),
      )
    } else if (key) {
      details.set(key, `${details.get(key)}\n${line.trim()}`)
    }
  }
  return details
}

/** node:test's own reporter: every failure once more at the end. */
export const specFailures: FailureFinder = ({ lines, text }) => {
  if (!/^✖ /m.test(text)) return []
  const failures: Failure[] = []
  lines.forEach((line, at) => {
    const where = /^test at (.+?):(\d+):\d+$/.exec(line)
    const title = /^✖ (.+?)(?: \([\d.]+m?s\))?$/.exec(lines[at + 1] ?? '')
    if (!where || !title) return
    const body = following(lines, at + 1, (next) => /^test at /.test(next))
    const message = following(body, -1, (next) => isScriptFrame(next) || next.trim() === '{', 6)
    if (/^'?\d+ subtests? failed/.test(message.join(' ').trim())) return
    const place = scriptPlace(body.filter(isScriptFrame)) ?? { file: where[1]!, line: Number(where[2]) }
    const error = failureMessage(...message).replace(/ \[(?:Error|ERR_\w+)\](?=:)/, '')
    failures.push({ type: 'test', message: failureMessage(`${title[1]}:`, error), ...place })
  })
  return failures
}
