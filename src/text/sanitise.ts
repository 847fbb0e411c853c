import { removeHidden } from './hidden-characters.ts'
import { findInjections } from './injection-phrases.ts'
import { MARKERS } from './structure-markers.ts'

export interface Sanitised {
  text: string
  /** What was neutralised; empty for ordinary text. */
  found: { kind: string; count: number }[]
}

/** Makes a text safe to be stored and shown to a model: what it says stays, what it commands does not. */
export function sanitise(text: string): string {
  return sanitiseWithReport(text).text
}

/** Doing it twice changes nothing more, so it is done before storing and again before showing. */
export function sanitiseWithReport(original: string): Sanitised {
  const counts = new Map<string, number>()
  const count = (kind: string, by = 1) => by > 0 && counts.set(kind, (counts.get(kind) ?? 0) + by)

  const { text: visible, hidden, terminalCodes } = removeHidden(original)
  count('terminal codes', terminalCodes)
  count('hidden characters', hidden)

  let text = removeInjections(visible, () => count('injected instruction'))
  for (const { kind, signs, pattern, rewrite } of MARKERS) {
    if (!signs.some((sign) => text.includes(sign))) continue
    text = text.replace(pattern, (match, ...rest) => {
      const at = rest.findIndex((value) => typeof value === 'number')
      const offset = rest[at] as number
      const groups = (rest.slice(0, at) as (string | undefined)[]).map((group) => group ?? '')
      const whole = rest[at + 1] as string
      const end = offset + match.length
      const harmless = rewrite(
        match,
        groups,
        whole.slice(Math.max(0, offset - 2), offset),
        whole.slice(end, end + 100),
      )
      if (harmless === undefined || harmless === match) return match
      count(kind)
      return harmless
    })
  }
  return { text, found: [...counts].map(([kind, by]) => ({ kind, count: by })) }
}

/** Stands where an instruction was. Holds no word that the search for instructions knows. */
export const REMOVED_INJECTION = '[removed: suspected injection]'

/** What an injected sentence goes on to demand goes with it, up to the end of the sentence or of the quotation. */
const REST_OF_SENTENCE = /(?:[^.!?\n"”`]|[.!?](?=\S)){0,300}/y

function removeInjections(text: string, found: () => void): string {
  let cleaned = ''
  let position = 0
  for (const { start, end } of findInjections(text)) {
    if (start < position) continue
    REST_OF_SENTENCE.lastIndex = end
    const rest = REST_OF_SENTENCE.exec(text)?.[0].length ?? 0
    cleaned += text.slice(position, start) + REMOVED_INJECTION
    position = end + rest
    found()
  }
  return cleaned + text.slice(position)
}
