import { RalphError } from '../errors.ts'

/**
 * Puts a table of strings and lists of strings into a TOML file, or takes it out, without touching anything else. Only
 * table headers are understood; a file that keeps its tables in another spelling is left alone, with an error that says so.
 */
export function setTable(text: string, path: readonly [string, string], entry: object): string {
  refuseOtherSpellings(text, path)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const table = [
    `[${path.map(bareOrQuoted).join('.')}]`,
    ...Object.entries(entry).map(([key, value]) => `${bareOrQuoted(key)} = ${tomlValue(value)}`),
  ].join(newline)
  const place = findTable(text, path)
  if (place) return `${text.slice(0, place.start)}${table}${newline}${text.slice(place.end)}`
  const before = text === '' ? '' : text.endsWith('\n') ? `${text}${newline}` : `${text}${newline}${newline}`
  return `${before}${table}${newline}`
}

/** The table as it stands there; undefined when there is none. */
export function tableText(text: string, path: readonly [string, string]): string | undefined {
  const place = findTable(text, path)
  return place && text.slice(place.start, place.end)
}

export function removeTable(text: string, path: readonly [string, string]): string {
  const place = findTable(text, path)
  if (!place) return text
  const before = text.slice(0, place.start)
  const after = text.slice(place.end)
  // The empty line that stood before our table goes with it.
  return (after.trim() === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before) + after
}

/** The strings and lists of strings of a table, as `setTable` writes them; undefined when there is no such table. */
export function tableValues(text: string, path: readonly [string, string]): object | undefined {
  const place = findTable(text, path)
  if (!place) return undefined
  const pairs = [...text.slice(place.start, place.end).matchAll(/^[ \t]*["']?([\w-]+)["']?[ \t]*=(.+)$/gm)]
  return Object.fromEntries(pairs.flatMap(([, key, value]) => pairOf(key!, value!.trim())))
}

function pairOf(key: string, value: string): [string, unknown][] {
  try {
    return [[key, JSON.parse(value.replace(/,\s*\]$/, ']'))]]
  } catch {
    return [] // in a spelling of TOML that is not JSON's
  }
}

interface Line {
  text: string
  start: number
  end: number
}

/** The table's own lines (a header of its sub-tables included) without the comments that lead over to the next table. */
function findTable(
  text: string,
  path: readonly [string, string],
): { start: number; end: number } | undefined {
  const lines = codeLines(text)
  const first = lines.findIndex((line) => headerKeys(line.text)?.join('\0') === path.join('\0'))
  if (first < 0) return undefined
  const isOurs = (line: Line) => {
    const keys = headerKeys(line.text)
    return keys === undefined || keys.slice(0, 2).join('\0') === path.join('\0')
  }
  let next = first + 1
  while (next < lines.length && isOurs(lines[next]!)) next++
  let last = next - 1
  while (last > first && /^\s*(#.*)?$/.test(lines[last]!.text.trimEnd())) last--
  return { start: lines[first]!.start, end: lines[last]!.end }
}

/** The lines, with those inside multi-line strings blotted out, so that nothing in them looks like a header. */
function codeLines(text: string): Line[] {
  const lines: Line[] = []
  let open: '"""' | "'''" | undefined
  for (const match of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const line = match[0]
    const inside = open !== undefined
    let rest = line
    while (rest !== '') {
      if (open) {
        const close = rest.indexOf(open)
        rest = close < 0 ? '' : rest.slice(close + 3)
        if (close >= 0) open = undefined
      } else {
        const found = /"""|'''|#|"(?:[^"\\]|\\.)*"|'[^']*'/.exec(rest)
        if (!found || found[0] === '#') break
        if (found[0] === '"""' || found[0] === "'''") open = found[0]
        rest = rest.slice(found.index + found[0].length)
      }
    }
    lines.push({ text: inside ? 'x' : line, start: match.index, end: match.index + line.length })
  }
  return lines
}

/** `[mcp_servers."my server"]` → ['mcp_servers', 'my server']; undefined for any other line. */
function headerKeys(line: string): string[] | undefined {
  const header = /^\s*\[\[?((?:[^\]"']|"(?:[^"\\]|\\.)*"|'[^']*')+)\]\]?\s*(?:#.*)?$/.exec(line.trimEnd())
  if (!header) return undefined
  return [...header[1]!.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

function refuseOtherSpellings(text: string, [table, name]: readonly [string, string]): void {
  let current = ''
  for (const line of codeLines(text)) {
    const keys = headerKeys(line.text)
    if (keys) current = keys.join('\0')
    const key = current === '' ? table : current === table ? name : undefined
    if (keys || key === undefined) continue
    if (new RegExp(`^\\s*["']?${key}["']?\\s*[.=]`).test(line.text)) {
      throw new RalphError('conflict', `the file keeps ${table} in a form that cannot be edited safely`, {
        hint: 'Add the lines by hand; the same command without --write prints them.',
      })
    }
  }
}

function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`
  // Every JSON string is a TOML basic string, but for one character that TOML wants escaped.
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
}

function bareOrQuoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}
