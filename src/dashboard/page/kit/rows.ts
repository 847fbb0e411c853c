import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { offer } from '../keyboard.ts'

/** `j` and `k` move through the rows in there, of however many lists. */
export function useRowKeys(place: RefObject<HTMLElement | null>, wanted = true): void {
  useEffect(() => {
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
    return () => {
      for (const end of away) end()
    }
  }, [place, wanted])
}
