import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { offer } from '../keyboard.ts'

/** `j` and `k` move through the rows in there, of however many lists; `enter` opens one that is a link or has one. */
export function useRowKeys(place: RefObject<HTMLElement | null>, wanted = true): void {
  // Whoever sees the rows can move through them at once.
  useLayoutEffect(() => {
    if (!wanted) return
    const move = (by: number) => () => {
      const rows = [...(place.current?.querySelectorAll<HTMLElement>('li > .row') ?? [])]
      const at = rows.findIndex(
        (row) => row === document.activeElement || row.parentElement?.contains(document.activeElement),
      )
      const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    }
    const away = [
      offer({ keys: 'j', does: 'the next row', run: move(1) }),
      offer({ keys: 'k', does: 'the row before', run: move(-1) }),
    ]
    const list = place.current
    list?.addEventListener('keydown', openRow)
    return () => {
      for (const end of away) end()
      list?.removeEventListener('keydown', openRow)
    }
  }, [place, wanted])
}

/** A row with several things in it leads where the first of its links does; one that is a link opens by itself. */
function openRow(event: KeyboardEvent): void {
  const row = event.target
  if (event.key === 'Enter' && row instanceof HTMLDivElement && row.matches('.row'))
    row.querySelector('a')?.click()
}
