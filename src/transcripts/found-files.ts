/** The files that a search names at the beginning of its lines. */
export function filesInMatches(text: string): string[] {
  const found = new Set<string>()
  for (const line of text.split('\n', 2_000)) {
    const path = pathOfMatch(line)
    if (path) found.add(path)
  }
  return [...found]
}

/** `src/a.ts`, `src/a.ts:3` (count) or `src/a.ts:3:text` (content); anything that does not look like a file is none. */
function pathOfMatch(line: string): string | undefined {
  const path = /^((?:[A-Za-z]:)?[^\s:]*[./][^\s:]*?)(?::|-\d+-|$)/.exec(line)?.[1]
  return path && /\.\w+$|\//.test(path) && !/^(?:https?|file)$/.test(path) ? path : undefined
}
