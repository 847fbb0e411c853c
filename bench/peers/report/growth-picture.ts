import { type Curve, chart } from './chart.ts'
import type { PeerFigures, Performance, SizeFigures } from './figures.ts'

/** Told apart by most eyes, on light and on dark ground. Ours is drawn in the colour of the text. */
const COLOURS: { [name: string]: string } = {
  'our-index': '#7a8490',
  'sqlite-vec': '#2f81d8',
  lancedb: '#e0801f',
  orama: '#a45bd1',
  vectra: '#d9468c',
  qmd: '#2b9d5c',
  'server-memory': '#c0392b',
  agentmemory: '#b38a00',
}

/** How each grows with the number of documents: what a search takes, memory, disk, and filling it. */
export function growthPicture({ peers }: Performance): string {
  const curves = (of: (size: SizeFigures) => number | undefined) => peers.map((peer) => curveOf(peer, of))
  return chart('How search time, memory, disk and filling grow with the number of documents', [
    {
      title: 'a search, ms (median)',
      said: plain,
      curves: curves(({ searched }) => searched?.medianMs),
    },
    {
      title: 'memory of the process that searches, MB',
      said: plain,
      curves: curves(({ searched }) => searched?.peakMb),
    },
    { title: 'on disk, MB', said: plain, curves: curves(({ filled }) => filled?.diskMb) },
    {
      title: 'filled until it can be searched, s',
      said: plain,
      curves: curves(({ filled }) => filled?.seconds),
    },
  ])
}

function curveOf({ name, title, sizes }: PeerFigures, of: (size: SizeFigures) => number | undefined): Curve {
  const points = sizes.flatMap((size) => {
    const value = of(size)
    return value === undefined || value <= 0 ? [] : [[size.documents, value] as const]
  })
  // What stands behind the comma is in the tables.
  return { name: title.split(',')[0]!, colour: COLOURS[name] ?? '#888888', isOurs: name === 'ours', points }
}

function plain(value: number): string {
  return value >= 1 ? value.toLocaleString('en') : String(value)
}
