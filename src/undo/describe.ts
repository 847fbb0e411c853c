import { isDeepStrictEqual } from 'node:util'
import type { EntryChange, UndoableChange } from '../noted-change.ts'
import { snakeKey } from '../text/case.ts'
import { oneLine } from '../text/truncate.ts'
import type { LoggedChange } from './change-log.ts'

const NOUNS: Record<string, string> = {
  'tasks.yaml': 'task',
  'features.yaml': 'feature',
  'disciplines.yaml': 'discipline',
}
const LONGEST = 60

/** What undoing a change does, a line for each thing. */
export function undoingWords({ parts }: Pick<LoggedChange, 'parts'>): string[] {
  return parts.flatMap(partWords)
}

function partWords(part: UndoableChange): string[] {
  switch (part.of) {
    case 'board':
      return entryWords(part)
    case 'settings':
      return [
        `setting ${part.path.map(snakeKey).join('.')} of the ${part.place}: ${fromTo(part.after, part.before)}`,
      ]
    case 'choice':
      return [`feature in use: ${fromTo(part.after, part.before)}`]
    // Belongs to the learnings of the board.
    case 'learnings':
      return []
  }
}

function entryWords({ file, before, after }: EntryChange): string[] {
  const entry = (before ?? after)!
  const title = entry['title'] === undefined ? '' : ` ${shown(entry['title'])}`
  const name = `${NOUNS[file] ?? file} ${entry['id'] ?? entry['name']}${title}`
  if (before === undefined) return [`${name}: goes again`]
  if (after === undefined) return [`${name}: comes back`]
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => `${field} ${fieldWords(after[field], before[field])}`)
  return [`${name}: ${changed.join(', ')}`]
}

/** Of lists, what goes and what comes back. */
function fieldWords(now: unknown, then: unknown): string {
  if (!Array.isArray(now ?? []) || !Array.isArray(then ?? [])) return fromTo(now, then)
  const [has, had] = [(now ?? []) as unknown[], (then ?? []) as unknown[]]
  const goes = has.filter((item) => !had.some((other) => isDeepStrictEqual(item, other)))
  const comes = had.filter((item) => !has.some((other) => isDeepStrictEqual(item, other)))
  // One that was only reviewed or counted neither goes nor comes.
  const changed = comes.filter((item) => goes.some((other) => shown(other) === shown(item))).map(shown)
  const others = (items: readonly unknown[]) => items.map(shown).filter((text) => !changed.includes(text))
  return [
    ...others(goes).map((text) => `without ${text}`),
    ...others(comes).map((text) => `with ${text}`),
    ...changed.map((text) => `${text} as it was`),
  ].join(', ')
}

function fromTo(now: unknown, then: unknown): string {
  return `${shown(now)} → ${shown(then)}`
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  const text = (value as { text?: unknown }).text
  const plain = typeof text === 'string' ? text : value
  return typeof plain === 'string' ? `"${oneLine(plain, LONGEST)}"` : oneLine(JSON.stringify(plain), LONGEST)
}
