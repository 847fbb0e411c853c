import { useEffect } from 'preact/hooks'
import type { Trouble } from '../../client.ts'
import { answerOf, api } from '../../client.ts'
import { type Loaded, useData } from '../../kit/data.ts'
import { useMore } from '../../kit/more.tsx'

const ask = (after?: string) => answerOf(api.overview.work.$get({ query: { ...(after && { after }) } }))

type Work = Awaited<ReturnType<typeof ask>>
export type ShownFeature = Work['items'][number]
export interface ShownWork {
  data: Work
  items: readonly ShownFeature[]
  more: (() => void) | undefined
  trouble: Trouble | undefined
}

const AGAIN_MS = 1_000

/** What was done; asked for again while journals are still being read for the first time. */
export function useWork(): { loaded: Loaded<Work>; shown: Omit<ShownWork, 'data'> } {
  const loaded = useData('overview/work', () => ask(), ['journals', 'board'])
  const counting = (loaded.data?.counting ?? 0) > 0
  useEffect(() => {
    if (!counting) return
    const timer = setTimeout(loaded.reload, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [counting, loaded.data])
  return { loaded, shown: useMore(loaded, ask) }
}
