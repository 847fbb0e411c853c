import { useEffect, useRef, useState } from 'preact/hooks'
import type { Trouble } from '../client.ts'
import { asTrouble, type Loaded } from './data.ts'
import { TroubleBox } from './states.tsx'

export interface Page<Item> {
  items: readonly Item[]
  next?: string | undefined
}

/** The first page as it was loaded, and what "more" brought after it. */
export function useMore<Item>(first: Loaded<Page<Item>>, load: (after: string) => Promise<Page<Item>>) {
  const [further, setFurther] = useState<Page<Item>>()
  const [trouble, setTrouble] = useState<Trouble>()
  const basis = useRef(first.data)
  useEffect(() => {
    // Another first page: what followed the old one need not follow this one.
    if (basis.current !== first.data) setFurther(undefined)
    basis.current = first.data
  }, [first.data])
  const next = further ? further.next : first.data?.next
  const more = async () => {
    try {
      const page = await load(next!)
      setTrouble(undefined)
      setFurther((before) => ({ ...page, items: [...(before?.items ?? []), ...page.items] }))
    } catch (error) {
      setTrouble(asTrouble(error))
    }
  }
  const items = [...(first.data?.items ?? []), ...(further?.items ?? [])]
  return { items, more: next === undefined ? undefined : more, trouble }
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
