import { useEffect, useState } from 'preact/hooks'
import type { Trouble } from '../client.ts'
import { asTrouble, type Loaded } from './data.ts'
import { TroubleBox } from './states.tsx'

export interface Page<Item> {
  items: readonly Item[]
  next?: string | undefined
}

/** The first page as it was loaded, and what "more" brought after it: also when the first has changed since. */
export function useMore<Item>(first: Loaded<Page<Item>>, load: (after: string) => Promise<Page<Item>>) {
  const { key, data } = first
  const [opened, setOpened] = useState<{ key: string; pages: readonly Page<Item>[] }>()
  const [trouble, setTrouble] = useState<Trouble>()
  const pages = opened?.key === key ? opened.pages : data ? [data] : []
  const failed = (error: unknown) => setTrouble(asTrouble(error))
  useEffect(() => {
    if (!data || pages.length < 2 || pages[0] === data) return
    let isLate = false
    // As many as were open; the old ones stay in sight until all are there.
    pagesFrom(data, pages.length, load).then((again) => {
      if (!isLate) setOpened(again.length < 2 ? undefined : { key, pages: again })
    }, failed)
    return () => {
      isLate = true
    }
  }, [data])
  const next = pages.at(-1)?.next
  const more = async () => {
    try {
      const page = await load(next!)
      setTrouble(undefined)
      setOpened({ key, pages: [...pages, page] })
    } catch (error) {
      failed(error)
    }
  }
  return {
    items: pages.flatMap(({ items }) => items),
    more: next === undefined ? undefined : more,
    trouble,
  }
}

async function pagesFrom<Item>(
  first: Page<Item>,
  wanted: number,
  load: (after: string) => Promise<Page<Item>>,
): Promise<Page<Item>[]> {
  const pages = [first]
  while (pages.length < wanted && pages.at(-1)!.next !== undefined)
    pages.push(await load(pages.at(-1)!.next!))
  return pages
}

export function More({ more, trouble }: { more: (() => void) | undefined; trouble?: Trouble | undefined }) {
  return (
    <>
      {trouble && <TroubleBox trouble={trouble} />}
      {more && (
        <button type="button" class="more" onClick={more}>
          More
        </button>
      )}
    </>
  )
}
