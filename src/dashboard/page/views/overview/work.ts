import type { Trouble } from '../../client.ts'
import { answerOf, api } from '../../client.ts'
import { useAgain } from '../../kit/again.ts'
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

/** What was done; asked for again while journals are still being read for the first time. */
export function useWork(): { loaded: Loaded<Work>; shown: Omit<ShownWork, 'data'> } {
  const loaded = useData('overview/work', () => ask(), ['journals', 'board'])
  useAgain((loaded.data?.counting ?? 0) > 0, loaded)
  return { loaded, shown: useMore(loaded, ask) }
}
