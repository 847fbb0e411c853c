import type { PeerFigures, Performance, SizeFigures } from './figures.ts'
import { percent, short } from './numbers.ts'

/** Nobody calls a difference within this a loss: two runs differ by as much. */
const ABOUT_EQUAL = 1.1

/** Figures of one size in which less is better. */
const LESS_IS_BETTER: readonly [what: string, unit: string, of: (size: SizeFigures) => number | undefined][] =
  [
    ['a search', 'ms', ({ searched }) => searched?.medianMs],
    ['inserting one', 'ms', ({ searched }) => searched?.one.medianMs],
    ['filling', 's', ({ filled }) => filled?.seconds],
    ['memory while searching', 'MB', ({ searched }) => searched?.peakMb],
    ['disk', 'MB', ({ filled }) => filled?.diskMb],
  ]

/** Whatever somebody else does better, in sentences: the page says it before it says anything else. */
export function behind({ peers, sizes, starts, recall }: Performance): string[] {
  const ours = peers.find(({ name }) => name === 'ours')
  if (!ours) return []
  const others = peers.filter(({ name }) => name !== 'ours' && name !== 'our-index')
  const bySize = sizes.flatMap((documents) =>
    LESS_IS_BETTER.flatMap(([what, unit, of]) => {
      const own = valueAt(ours, documents, of)
      if (own === undefined) return []
      const better = others.flatMap(({ title, ...peer }) => {
        const value = valueAt({ title, ...peer }, documents, of)
        return value !== undefined && value * ABOUT_EQUAL < own ? [`${title} ${short(value)}`] : []
      })
      if (better.length === 0) return []
      return [
        `${documents.toLocaleString('en')} documents, ${what}: ${short(own)} ${unit}; ${better.join(', ')}.`,
      ]
    }),
  )
  return [...bySize, ...behindAtStart(starts), ...behindInRecall(recall, others)]
}

function valueAt(
  { sizes }: PeerFigures,
  documents: number,
  of: (size: SizeFigures) => number | undefined,
): number | undefined {
  const size = sizes.find((one) => one.documents === documents)
  return size && of(size)
}

function behindAtStart(starts: Performance['starts']): string[] {
  const own = starts.find(({ command }) => command === 'ralph mcp')
  if (!own) return []
  const better = starts.filter(
    ({ what, medianMs }) =>
      what.endsWith('MCP') && what !== own.what && medianMs * ABOUT_EQUAL < own.medianMs,
  )
  if (better.length === 0) return []
  const said = better.map(({ what, medianMs }) => `${what.replace(/, MCP$/, '')} ${short(medianMs)}`)
  return [`First answer of a cold MCP server: ${short(own.medianMs)} ms; ${said.join(', ')}.`]
}

/** Vectors alone are our index's part. */
function behindInRecall(recall: Performance['recall'], others: readonly PeerFigures[]): string[] {
  return recall.flatMap(({ set, documents, found }) => {
    const own = found.find(({ name }) => name === 'our-index')?.recall
    if (own === undefined) return []
    const better = others.flatMap(({ name, title }) => {
      const theirs = found.find((one) => one.name === name)?.recall
      return theirs !== undefined && theirs > own ? [`${title} ${percent(theirs)}`] : []
    })
    if (better.length === 0) return []
    return [
      `Recall@10 of ${documents.toLocaleString('en')} vectors, ${set}: its index ${percent(own)}; ${better.join(', ')}.`,
    ]
  })
}
