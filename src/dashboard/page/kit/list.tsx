import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { offer } from '../keyboard.ts'

export interface ListProps<Item> {
  items: readonly Item[]
  /** What it is, for screen readers. */
  label: string
  keyOf: (item: Item) => string
  /** Where an item leads; without it, it leads nowhere. */
  hrefOf?: ((item: Item) => string | undefined) | undefined
  children: (item: Item) => ComponentChildren
}

/** Rows that `j` and `k` move through and `enter` opens. The main list of a view: two at once would share the keys. */
export function List<Item>({ items, label, keyOf, hrefOf, children }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const move = (by: number) => () => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>(':scope > li > .row') ?? [])]
      const at = rows.findIndex(
        (row) => row === document.activeElement || row.contains(document.activeElement),
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
  }, [])
  return (
    <ul class="list" aria-label={label} ref={list}>
      {items.map((item) => {
        const href = hrefOf?.(item)
        return (
          <li key={keyOf(item)}>
            {href ? (
              <a class="row" href={href}>
                {children(item)}
              </a>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: j and k move here, as through any other row
              <div class="row" tabIndex={0}>
                {children(item)}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
