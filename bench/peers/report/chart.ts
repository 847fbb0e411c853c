/** Curves on two logarithmic axes, as an SVG that can be read on light and dark ground. */

export interface Curve {
  name: string
  colour: string
  /** Drawn stronger than the others. */
  isOurs?: boolean
  points: readonly (readonly [x: number, y: number])[]
}

export interface Panel {
  title: string
  /** What a value is said as, at the lines across. */
  said: (value: number) => string
  curves: readonly Curve[]
}

const WIDTH = 460
const HEIGHT = 300
const PLOT = { left: 58, right: 140, top: 40, bottom: 34 } as const
const LABEL_HEIGHT = 15
const COLUMNS = 2

const STYLE = `text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 13px }
.axis { fill: #59636e }
.grid { stroke: #d1d9e0 }
.ours { stroke: #1f2328; fill: #1f2328 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .axis { fill: #9198a1 } .grid { stroke: #3d444d } .ours { stroke: #f0f6fc; fill: #f0f6fc }
}`

export function chart(title: string, panels: readonly Panel[]): string {
  const rows = Math.ceil(panels.length / COLUMNS)
  const drawn = panels.map((panel, at) => {
    const [column, row] = [at % COLUMNS, Math.floor(at / COLUMNS)]
    return `<g transform="translate(${column * WIDTH} ${row * HEIGHT})">\n${drawPanel(panel)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * WIDTH} ${rows * HEIGHT}" role="img">
<title>${escaped(title)}</title>
<style>
${STYLE}
</style>
${drawn.join('\n')}
</svg>
`
}

function drawPanel({ title, said, curves }: Panel): string {
  const points = curves.flatMap((curve) => curve.points)
  const heading = `<text class="title" x="${PLOT.left}" y="20">${escaped(title)}</text>`
  if (points.length === 0) return heading
  const x = scale(
    points.map(([value]) => value),
    PLOT.left,
    WIDTH - PLOT.right,
  )
  const y = scale(
    points.map(([, value]) => value),
    HEIGHT - PLOT.bottom,
    PLOT.top,
  )
  const across = y.decades.map((value) => {
    const at = y.place(value).toFixed(1)
    return `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${at}" y2="${at}"/><text class="axis" x="${PLOT.left - 8}" y="${Number(at) + 4}" text-anchor="end">${escaped(said(value))}</text>`
  })
  const along = [...new Set(points.map(([value]) => value))].map(
    (value) =>
      `<text class="axis" x="${x.place(value).toFixed(1)}" y="${HEIGHT - 12}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
  )
  const lines = curves
    .filter((curve) => curve.points.length > 0)
    .map((curve) => drawCurve(curve, x.place, y.place))
  return [heading, ...across, ...along, ...lines, ...drawLabels(curves, x.place, y.place)].join('\n')
}

type Place = (value: number) => number

/** Whole decades around the values. */
function scale(values: readonly number[], from: number, to: number): { place: Place; decades: number[] } {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9)
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9))
  return {
    place: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    decades: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
  }
}

function drawCurve({ colour, isOurs, points }: Curve, x: Place, y: Place): string {
  const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  const paint = isOurs ? 'class="ours"' : `stroke="${colour}" fill="${colour}"`
  const width = isOurs ? 3 : 1.75
  const dots = path.map((point) => {
    const [cx, cy] = point.split(',')
    return `<circle cx="${cx}" cy="${cy}" r="${isOurs ? 4 : 3}"/>`
  })
  return `<g ${paint}><polyline points="${path.join(' ')}" style="fill: none" stroke-width="${width}"/>${dots.join('')}</g>`
}

/** Beside the last point of each, moved apart where they would cover each other. */
function drawLabels(curves: readonly Curve[], x: Place, y: Place): string[] {
  const ends = curves
    .filter(({ points }) => points.length > 0)
    .map((curve) => ({ ...curve, end: curve.points.at(-1)!, place: 0 }))
  for (const one of ends) one.place = y(one.end[1])
  const apart = spread(
    ends.map(({ place }) => place),
    LABEL_HEIGHT,
    [PLOT.top, HEIGHT - PLOT.bottom],
  )
  return ends.map(({ name, colour, isOurs, end, place }, at) => {
    const [fromX, toX] = [x(end[0]) + 5, WIDTH - PLOT.right + 12]
    const paint = isOurs ? 'class="ours"' : `stroke="${colour}"`
    const height = apart[at]!.toFixed(1)
    const weight = isOurs ? ' class="title"' : ''
    return (
      `<polyline points="${fromX.toFixed(1)},${place.toFixed(1)} ${toX},${height} ${toX + 6},${height}" ${paint} style="fill: none" stroke-width="1" stroke-dasharray="1 3" opacity="0.7"/>` +
      `<text x="${toX + 10}" y="${(apart[at]! + 4).toFixed(1)}"${weight}>${escaped(name)}</text>`
    )
  })
}

/** The same order, no two nearer than `least`, as near to where they were as one pass each way brings them. */
export function spread(
  places: readonly number[],
  least: number,
  [top, bottom]: readonly [number, number],
): number[] {
  const order = places.map((_, at) => at).sort((a, b) => places[a]! - places[b]!)
  const moved = [...places]
  let above = top - least
  for (const at of order) {
    moved[at] = Math.max(moved[at]!, above + least)
    above = moved[at]!
  }
  let below = bottom + least
  for (const at of order.toReversed()) {
    moved[at] = Math.min(moved[at]!, below - least)
    below = moved[at]!
  }
  return moved
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
