import { signal } from '@preact/signals'

/** What can change while the page is open; a journal by its feature: `journal:login`. */
export type Part =
  | 'board'
  | 'gates'
  | 'knowledge'
  | 'conversations'
  | 'workers'
  | 'receipts'
  | 'settings'
  | 'journals'
  | `journal:${string}`

/** Whether changes reach us as they happen. */
export const connected = signal(true)

const listeners = new Set<(parts: readonly string[]) => void>()

/** Calls back when one of the parts has changed, in whatever process. Returns what ends it. */
export function onChange(parts: readonly Part[], changed: () => void): () => void {
  const listener = (names: readonly string[]) => {
    const touched = names.some(
      (name) =>
        name === 'everything' ||
        parts.includes(name as Part) ||
        (name.startsWith('journal:') && parts.includes('journals')),
    )
    if (touched) changed()
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells whoever shows one of these parts: after an action of ours, or when the server says so. */
export function announceChange(parts: readonly (Part | 'everything')[]): void {
  for (const listener of listeners) listener(parts)
}

/** Listens to the server; after a break whatever is shown is asked for again, since changes may have been missed. */
export function listenToServer(): void {
  const source = new EventSource('/api/live')
  source.addEventListener('changed', (event) => announceChange(JSON.parse(event.data)))
  source.addEventListener('open', () => {
    if (!connected.value) announceChange(['everything'])
    connected.value = true
  })
  source.addEventListener('error', () => {
    connected.value = false
  })
}
