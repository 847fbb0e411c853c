import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape'
import { useMemo, useRef } from 'preact/hooks'
import {
  type Direction,
  type MapPoint,
  type MapSize,
  type MapView,
  neighbour,
  panned,
  placeOf,
  pointAt,
  showing,
  WHOLE_MAP,
  zoomed,
} from './map-view.ts'
import { useWidth } from './use-width.ts'

export interface GroupedPoint extends MapPoint {
  /** Its place in `groups`, which gives it shape and colour. */
  group: number
}

interface MapProps {
  points: readonly GroupedPoint[]
  groups: readonly string[]
  /** What the map shows, in words. */
  name: string
  view: MapView
  onView: (view: MapView) => void
  /** The point that is pointed at or in focus; its text is the caller's to show. */
  selected?: string | undefined
  onSelect: (id: string | undefined) => void
  onOpen: (id: string) => void
}

const SHAPES = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
].map((shape) => symbol(shape, 42)()!)
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const STEP = 1.5

/** Points by place, shape and colour: moved by dragging, enlarged by the buttons, walked through by the arrow keys. */
export function MemoryMap(props: MapProps) {
  const { points, groups, name, view, onView, selected, onSelect, onOpen } = props
  const { place, width } = useWidth()
  const size = { width, height: Math.round(Math.min(560, Math.max(280, width * 0.65))) }
  const chosen = points.find(({ id }) => id === selected)
  const keys = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key]
    const next = direction && neighbour(points, chosen ?? view, direction)
    if (next) {
      onSelect(next.id)
      onView(showing(view, next))
    } else if (event.key === '+') onView(zoomed(view, STEP, size))
    else if (event.key === '-') onView(zoomed(view, 1 / STEP, size))
    else if (event.key === '0') onView(WHOLE_MAP)
    else if (event.key === 'Enter' && chosen) onOpen(chosen.id)
    else if (event.key === 'Escape') onSelect(undefined)
    else if (!direction) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="map">
      <div class="map-tools">
        <MapLegend groups={groups} />
        <ZoomButtons view={view} size={size} onView={onView} />
      </div>
      <div
        ref={place}
        class="map-field"
        role="group"
        aria-label={`${name}. Arrow keys move from point to point, Enter opens.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the points are reached from here by the arrow keys
        tabIndex={0}
        onKeyDown={keys}
      >
        <MapPicture {...props} size={size} chosen={chosen} />
      </div>
    </div>
  )
}

interface PictureProps extends MapProps {
  size: MapSize
  chosen: GroupedPoint | undefined
}

function MapPicture({ points, view, onView, selected, onSelect, onOpen, size, chosen }: PictureProps) {
  const drag = useRef<{ x: number; y: number; moved: boolean }>(undefined)
  const at = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const move = (event: PointerEvent) => {
    const here = at(event)
    if (!drag.current) {
      const found = pointAt(points, here, view, size)?.id
      if (found !== selected) onSelect(found)
      return
    }
    const by = { x: here.x - drag.current.x, y: here.y - drag.current.y }
    if (!drag.current.moved && Math.hypot(by.x, by.y) < 4) return
    drag.current = { ...here, moved: true }
    onView(panned(view, by, size))
  }
  const release = (event: PointerEvent) => {
    const found = drag.current?.moved ? undefined : pointAt(points, at(event), view, size)
    drag.current = undefined
    if (found) onOpen(found.id)
  }
  return (
    <svg
      class={view.zoom > 1 ? 'map-picture map-near' : 'map-picture'}
      aria-hidden="true"
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
      onPointerDown={(event) => {
        drag.current = { ...at(event), moved: false }
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerLeave={() => {
        drag.current = undefined
      }}
      onWheel={(event) => {
        // Without it the page is scrolled, as anywhere else.
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        onView(zoomed(view, event.deltaY < 0 ? STEP : 1 / STEP, size, at(event)))
      }}
    >
      <Points points={points} view={view} size={size} />
      {chosen && <Ring {...placeOf(chosen, view, size)} />}
    </svg>
  )
}

/** Drawn once for a zoom: while the map is moved, they move together. */
function Points({ points, view, size }: { points: readonly GroupedPoint[]; view: MapView; size: MapSize }) {
  const { width, height } = size
  const { zoom } = view
  const drawn = useMemo(() => {
    const centre = { x: 0.5, y: 0.5, zoom }
    return points.map((point) => {
      const { x, y } = placeOf(point, centre, { width, height })
      const group = point.group % SHAPES.length
      return (
        <path
          key={point.id}
          class={`map-point map-group-${group}`}
          d={SHAPES[group]}
          transform={`translate(${x.toFixed(1)},${y.toFixed(1)})`}
        />
      )
    })
  }, [points, zoom, width, height])
  const here = placeOf({ x: 0.5, y: 0.5 }, view, size)
  const middle = placeOf({ x: 0.5, y: 0.5 }, WHOLE_MAP, size)
  return <g transform={`translate(${here.x - middle.x},${here.y - middle.y})`}>{drawn}</g>
}

function Ring({ x, y }: { x: number; y: number }) {
  return <circle class="map-ring" cx={x} cy={y} r={9} />
}

function MapLegend({ groups }: { groups: readonly string[] }) {
  return (
    <ul class="chart-legend">
      {groups.map((name, at) => (
        <li key={name}>
          <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
            <path class={`map-point map-group-${at % SHAPES.length}`} d={SHAPES[at % SHAPES.length]} />
          </svg>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  )
}

function ZoomButtons({
  view,
  size,
  onView,
}: {
  view: MapView
  size: MapSize
  onView: (view: MapView) => void
}) {
  return (
    <div class="map-zoom">
      <button type="button" aria-label="Enlarge" onClick={() => onView(zoomed(view, STEP, size))}>
        +
      </button>
      <button type="button" aria-label="Make smaller" onClick={() => onView(zoomed(view, 1 / STEP, size))}>
        −
      </button>
      <button type="button" onClick={() => onView(WHOLE_MAP)}>
        Whole map
      </button>
    </div>
  )
}
