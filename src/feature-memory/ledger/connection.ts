import { posix } from 'node:path'

/** Names of things rather than words: a file, a code, something quoted, something with a hump or an underscore. */
const NAME =
  /[\w@./-]{0,200}\w\.[A-Za-z]\w{0,7}\b|\b[A-Z]+\d{2,}\b|\bE[A-Z]{4,}\b|\b\w*[a-z0-9][A-Z]\w*\b|\b\w+_\w+\b|(?<=(['"`]))[\w@./-]{3,60}(?=\1)/g
/** They name a kind of thing, not a thing. */
const KINDS =
  /^(?:\w*(?:error|exception)|undefined|null|string|number|boolean|object|array|function|true|false|unknown|never|void)$/

/** The names in a text by which it can be told to speak of the same thing as another. */
function namesIn(text: string): Set<string> {
  const names = (text.match(NAME) ?? []).map((name) => lastPart(name.toLowerCase()))
  return new Set(names.filter((name) => name.length > 2 && !KINDS.test(name)))
}

/** `src/cart/total.test.ts` and `lib/total.ts` are about one thing, as far as names can tell. */
function stemOf(path: string): string {
  return posix
    .basename(path)
    .toLowerCase()
    .replace(/^test_/, '')
    .replace(/(?:[._-](?:test|spec|tests|stories|d))?\.\w+$/, '')
}

/** Stems that stand in every other folder connect nothing. */
const COMMON_STEMS = new Set('index main mod lib __init__ types utils app package readme'.split(' '))

/** Whether some work or task has to do with an error: it touches a file the error names, or speaks of it by name. */
export function isConnected(
  { message, filePath }: { message: string; filePath?: string | undefined },
  { files, text }: { files: readonly string[]; text: string },
): boolean {
  if (filePath !== undefined && files.includes(filePath)) return true
  const names = namesIn(message)
  const own = filePath === undefined ? names : new Set([...names, lastPart(filePath.toLowerCase())])
  const stems = new Set([...own].filter((name) => /\.\w+$/.test(name)).map(stemOf))
  if (files.some((file) => stems.has(stemOf(file)) && !COMMON_STEMS.has(stemOf(file)))) return true
  const spoken = namesIn(text)
  return [...own].some((name) => spoken.has(name))
}

function lastPart(path: string): string {
  return path.replace(/^.*\//, '').replace(/:\d+.*$/, '')
}
