/** One key, or two after each other as in "g o". */
export interface Shortcut {
  keys: string
  does: string
  run: () => void
}

const shortcuts = new Set<Shortcut>()
const CHORD_MS = 1_500
let pending: { key: string; at: number } | undefined

/** For as long as what offers it is shown. Returns what takes it away. */
export function offer(shortcut: Shortcut): () => void {
  shortcuts.add(shortcut)
  return () => shortcuts.delete(shortcut)
}

/** What can be done by keyboard here and now, for the help. */
export function offered(): Shortcut[] {
  return [...shortcuts].filter((shortcut) => found(shortcut.keys) === shortcut)
}

/** As if the key had been pressed, for those who would rather click. */
export function press(keys: string): void {
  found(keys)?.run()
}

/** The latest wins: a list inside a view before the view itself. */
function found(keys: string): Shortcut | undefined {
  return [...shortcuts].findLast((shortcut) => shortcut.keys === keys)
}

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') && event.key !== '?') return
    const chord =
      pending && event.timeStamp - pending.at < CHORD_MS ? `${pending.key} ${event.key}` : undefined
    const meant = found(chord ?? event.key)
    pending =
      chord === undefined && startsChord(event.key) ? { key: event.key, at: event.timeStamp } : undefined
    if (!meant) return
    event.preventDefault()
    meant.run()
  })
}

function startsChord(key: string): boolean {
  return [...shortcuts].some(({ keys }) => keys.startsWith(`${key} `))
}

/** Letters belong to whoever is writing; a focused button or link keeps Enter and Space. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}
