import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useRowKeys } from './rows.ts'

export interface ListProps<Item> {
  items: readonly Item[]
  /** What it is, for screen readers. */
  label: string
  keyOf: (item: Item) => string
  /** Where an item leads; without it, it leads nowhere. */
  hrefOf?: ((item: Item) => string | undefined) | undefined
  /** False where the view moves through several lists by `useRowKeys`. */
  keys?: boolean | undefined
  children: (item: Item) => ComponentChildren
}

/** Rows that `j` and `k` move through and `enter` opens. */
export function List<Item>({ items, label, keyOf, hrefOf, keys = true, children }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  useRowKeys(list, keys)
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
