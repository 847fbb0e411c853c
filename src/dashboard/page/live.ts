import { signal } from '@preact/signals'
import type { Part as ServerPart } from '../live/part.ts'

/** What can change while the page is open; a journal by its feature: `journal:login`, or all of them: `journals`. */
export type Part = ServerPart | 'journals'

/** `asking`: the server does not answer. `refused`: another one has taken its place, which knows nothing of us. */
export type Connection = 'live' | 'asking' | 'refused'
/** Whether changes reach us as they happen. */
export const connection = signal<Connection>('live')

const RETRY_MS = 3_000

/** Where there is no project, nothing can be shown. */
const EVERYTHING = ['everything', 'project']

const listeners = new Set<(parts: readonly string[]) => void>()

/** Calls back when one of the parts has changed, in whatever process. Returns what ends it. */
export function onChange(parts: readonly Part[], changed: () => void): () => void {
  const listener = (names: readonly string[]) => {
    const touched = names.some(
      (name) =>
        EVERYTHING.includes(name) ||
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

/**
 * Listens to the server while the page is in sight: a browser has six connections for all its tabs, and one that nobody
 * looks at needs none. Whatever has changed meanwhile is told on return.
 */
export function listenToServer(): void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let position: string | undefined
  const close = () => {
    clearTimeout(retry)
    source?.close()
    source = undefined
  }
  const open = () => {
    close()
    source = new EventSource(
      position === undefined ? '/api/live' : `/api/live?after=${encodeURIComponent(position)}`,
    )
    source.addEventListener('open', () => {
      // What failed while nobody answered is asked for again.
      if (connection.value !== 'live') announceChange(['everything'])
      connection.value = 'live'
    })
    const heard = ({ lastEventId }: MessageEvent) => {
      position = lastEventId
    }
    source.addEventListener('alive', heard)
    source.addEventListener('changed', (event) => {
      heard(event)
      announceChange(JSON.parse(event.data))
    })
    source.addEventListener('error', () => {
      // The browser tries again by itself, unless it was answered with a refusal.
      const refused = source?.readyState === EventSource.CLOSED
      connection.value = refused ? 'refused' : 'asking'
      if (refused) retry = setTimeout(open, RETRY_MS)
    })
  }
  const follow = () => (document.visibilityState === 'visible' ? open() : close())
  document.addEventListener('visibilitychange', follow)
  follow()
}
