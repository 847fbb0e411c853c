/** Something that lies somewhere on a map; x and y from 0 to 1. */
export interface MapPoint {
  id: string
  x: number
  y: number
}

/** Which part of a map is seen: the middle of it, and how many times it is enlarged. */
export interface MapView {
  x: number
  y: number
  zoom: number
}

export interface MapSize {
  width: number
  height: number
}

export const WHOLE_MAP: MapView = { x: 0.5, y: 0.5, zoom: 1 }
const CLOSEST = 40
/** So that points at the rim are drawn whole. */
const RIM = 16

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** The same view, brought back to where there is something to see. */
function bounded({ x, y, zoom }: MapView): MapView {
  const reach = 0.5 / zoom
  return { x: within(x, reach, 1 - reach), y: within(y, reach, 1 - reach), zoom }
}

/** Where a point lies on the screen. */
export function placeOf(point: Pick<MapPoint, 'x' | 'y'>, view: MapView, size: MapSize) {
  const { width, height } = inner(size)
  return {
    x: RIM + ((point.x - view.x) * view.zoom + 0.5) * width,
    y: RIM + ((point.y - view.y) * view.zoom + 0.5) * height,
  }
}

const inner = ({ width, height }: MapSize): MapSize => ({
  width: Math.max(1, width - 2 * RIM),
  height: Math.max(1, height - 2 * RIM),
})

/** Moved by so many pixels. */
export function panned(view: MapView, by: { x: number; y: number }, size: MapSize): MapView {
  const { width, height } = inner(size)
  return bounded({
    ...view,
    x: view.x - by.x / width / view.zoom,
    y: view.y - by.y / height / view.zoom,
  })
}

/** Enlarged so that what lies at `at` (pixels; the middle if absent) stays where it is. */
export function zoomed(view: MapView, factor: number, size: MapSize, at?: { x: number; y: number }): MapView {
  const zoom = within(view.zoom * factor, 1, CLOSEST)
  const { width, height } = inner(size)
  const off = at ? { x: (at.x - RIM) / width - 0.5, y: (at.y - RIM) / height - 0.5 } : { x: 0, y: 0 }
  return bounded({
    x: view.x + off.x / view.zoom - off.x / zoom,
    y: view.y + off.y / view.zoom - off.y / zoom,
    zoom,
  })
}

/** A view in which the point can be seen: the same one when it can. */
export function showing(view: MapView, point: Pick<MapPoint, 'x' | 'y'>): MapView {
  const reach = 0.5 / view.zoom
  const seen = Math.abs(point.x - view.x) <= reach && Math.abs(point.y - view.y) <= reach
  return seen ? view : bounded({ ...view, x: point.x, y: point.y })
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The next point in a direction: near, and rather straight ahead than aside. */
export function neighbour<Point extends MapPoint>(
  points: readonly Point[],
  from: Pick<MapPoint, 'x' | 'y'> & { id?: string },
  direction: Direction,
): Point | undefined {
  const sign = direction === 'right' || direction === 'down' ? 1 : -1
  const across = direction === 'left' || direction === 'right'
  let best: Point | undefined
  let least = Number.POSITIVE_INFINITY
  for (const point of points) {
    if (point.id === from.id) continue
    const [dx, dy] = [point.x - from.x, point.y - from.y]
    const ahead = sign * (across ? dx : dy)
    const aside = Math.abs(across ? dy : dx)
    if (ahead <= 0 || aside > 2 * ahead) continue
    const way = ahead + 2 * aside
    if (way < least) [best, least] = [point, way]
  }
  return best
}

/** The point nearest to a place on the screen, if one is near enough to be meant. */
export function pointAt<Point extends MapPoint>(
  points: readonly Point[],
  at: { x: number; y: number },
  view: MapView,
  size: MapSize,
  reach = 14,
): Point | undefined {
  let best: Point | undefined
  let least = reach ** 2
  for (const point of points) {
    const place = placeOf(point, view, size)
    const way = (place.x - at.x) ** 2 + (place.y - at.y) ** 2
    if (way < least) [best, least] = [point, way]
  }
  return best
}
