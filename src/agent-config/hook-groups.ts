import { asArray, isObject, objects } from '../text/json.ts'
import { appendTo, getIn, removeAt, setIn } from '../text/jsonc-edit.ts'

/** The entries of one event in a settings file, under `hooks`. */
export interface EventEntries {
  event: string
  entries: unknown[]
}

/** Whether an entry is ours. */
type IsOurs = (entry: unknown) => boolean

/** Our entry for an event, in place of the one that is there, if any; those of others stay as they are. */
export function withEntry(text: string, event: string, entry: object, isOurs: IsOurs): string {
  const entries = entriesOf(text, event)
  const at = entries.findIndex(isOurs)
  if (at < 0) return appendTo(text, ['hooks', event], entry)
  if (JSON.stringify(entries[at]) === JSON.stringify(entry)) return text
  return setIn(text, ['hooks', event, at], entry)
}

/** Takes out our entries, then the lists and objects that are empty because of it. */
export function withoutEntries(text: string, isOurs: IsOurs): string {
  let current = text
  for (const { event, entries } of eventsIn(text)) {
    const ours = entries.flatMap((entry, at) => (isOurs(entry) ? [at] : []))
    if (ours.length === 0) continue
    for (const at of ours.reverse()) current = removeAt(current, ['hooks', event, at])
    if (entriesOf(current, event).length === 0) current = removeAt(current, ['hooks', event])
  }
  const left = getIn(current, ['hooks'])
  const emptied = current !== text && isObject(left) && Object.keys(left).length === 0
  return emptied ? removeAt(current, ['hooks']) : current
}

export function eventsIn(text: string): EventEntries[] {
  const hooks = getIn(text, ['hooks'])
  return isObject(hooks)
    ? Object.keys(hooks).map((event) => ({ event, entries: entriesOf(text, event) }))
    : []
}

/** The hooks of a group with a matcher. */
export function hooksOf(group: unknown): Record<string, unknown>[] {
  return objects(asArray(isObject(group) ? group['hooks'] : undefined))
}

function entriesOf(text: string, event: string): unknown[] {
  const entries = getIn(text, ['hooks', event])
  return Array.isArray(entries) ? entries : []
}
