import type { MemoryKind } from '../../../../recall/recollection.ts'
import type { MapView } from '../../charts/map-view.ts'
import { WHOLE_MAP } from '../../charts/map-view.ts'
import type { GroupedPoint } from '../../charts/memory-map.tsx'
import { OUTCOMES } from '../../kit/badge.tsx'
import { KIND_NAMES } from '../../kit/memory-address.ts'

/** A memory as the server has placed it. */
export interface Placed {
  id: string
  x: number
  y: number
  address: { kind: MemoryKind; feature?: string }
  outcome?: string | undefined
}

/** What shape and colour tell apart. */
export const COLOURINGS = ['kind', 'outcome', 'feature'] as const
export type Colouring = (typeof COLOURINGS)[number]

/** So many can be told apart; what is over is one group. */
const MOST_GROUPS = 7
const OTHERS = 'others'
/** The frame grows in steps of this, so that one memory more does not move the whole picture. */
const STEP = 2

/** Where each memory lies on the map, from 0 to 1, and in which group. */
export function onMap<Point extends Placed>(
  points: readonly Point[],
  colouring: Colouring,
): { points: (Point & GroupedPoint)[]; groups: string[] } {
  const groups = groupsOf(points, colouring)
  const [half, high] = [reach(points.map(({ x }) => x)), reach(points.map(({ y }) => y))]
  return {
    groups,
    points: points.map((point) => {
      const name = groupOf(point, colouring)
      const group = groups.includes(name) ? groups.indexOf(name) : groups.length - 1
      return { ...point, x: (point.x + half) / (2 * half), y: (point.y + high) / (2 * high), group }
    }),
  }
}

/** How far from the middle anything lies, in whole steps. */
function reach(values: readonly number[]): number {
  const furthest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Math.max(STEP, Math.ceil(furthest / STEP) * STEP)
}

function groupOf({ address, outcome }: Placed, colouring: Colouring): string {
  if (colouring === 'kind') return KIND_NAMES[address.kind]
  if (colouring === 'feature') return address.feature ?? 'no feature'
  return outcome === undefined ? 'no outcome' : (OUTCOMES[outcome]?.word ?? outcome)
}

/** The largest first; kinds and outcomes in the order in which they are always named. */
function groupsOf(points: readonly Placed[], colouring: Colouring): string[] {
  const counts = new Map<string, number>()
  for (const point of points) {
    const name = groupOf(point, colouring)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const order = [
    ...Object.values(KIND_NAMES),
    ...Object.values(OUTCOMES).map(({ word }) => word),
    'no outcome',
  ]
  const names = [...counts.keys()].sort(
    colouring === 'feature'
      ? (a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1)
      : (a, b) => order.indexOf(a) - order.indexOf(b),
  )
  return names.length <= MOST_GROUPS ? names : [...names.slice(0, MOST_GROUPS - 1), OTHERS]
}

/** "0.5,0.5,2": the middle of what is seen and how many times it is enlarged. */
export function viewFrom(text: string): MapView {
  const [x, y, zoom] = text.split(',').map(Number)
  const numbers = [x, y, zoom]
  if (!numbers.every((value) => value !== undefined && Number.isFinite(value))) return WHOLE_MAP
  return zoom! >= 1 && zoom! <= 40 && x! >= 0 && x! <= 1 && y! >= 0 && y! <= 1
    ? { x: x!, y: y!, zoom: zoom! }
    : WHOLE_MAP
}

export function viewText({ x, y, zoom }: MapView): string {
  return zoom === 1 ? '' : [x, y, zoom].map((value) => Number(value.toFixed(3))).join(',')
}

/** What lies in the part of the map that is seen, the nearest to its middle first. */
export function inSight<Point extends { x: number; y: number }>(
  points: readonly Point[],
  { x, y, zoom }: MapView,
): Point[] {
  const half = 0.5 / zoom
  const off = (point: Point) => Math.max(Math.abs(point.x - x), Math.abs(point.y - y))
  return points.filter((point) => off(point) <= half).sort((a, b) => off(a) - off(b))
}
