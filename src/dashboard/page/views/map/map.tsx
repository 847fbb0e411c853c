import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { MapView } from '../../charts/map-view.ts'
import { MemoryMap } from '../../charts/memory-map.tsx'
import { wholeNumber } from '../../charts/numbers.ts'
import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { useAddress } from '../../kit/address.ts'
import { useAgain } from '../../kit/again.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { memoryHref } from '../../kit/memory-address.ts'
import { MemoryHead } from '../../kit/memory-head.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { KindChoice } from '../search/kind-choice.tsx'
import { COLOURINGS, type Colouring, inSight, onMap, viewFrom, viewText } from './places.ts'
import './map.css'

const ask = () => answerOf(api.map.$get())
type Picture = Awaited<ReturnType<typeof ask>>
type Point = Picture['points'][number]

/** Beside the map, as many as can be read. */
const LISTED = 50
/** After the last move, until the address follows. */
const SETTLED_MS = 300

/** All that is remembered, by meaning: to browse, not to search. */
export default function MapOfMemories() {
  const loaded = useData('map', ask, ['journals', 'board', 'knowledge', 'conversations'])
  // Some memories are still being embedded.
  useAgain((loaded.data?.behind.length ?? 0) > 0, loaded)
  return (
    <>
      <h1>Map of memories</h1>
      <p class="dim">What means nearly the same lies close together. Everything keeps its place.</p>
      <Shown loaded={loaded}>
        {(picture) => (
          <>
            <Remarks picture={picture} />
            {picture.points.length === 0 ? (
              <Nothing picture={picture} />
            ) : (
              <>
                <Browser picture={picture} />
                <Action run={() => answerOf(api.map.rearrange.$post())} changes={['journals']}>
                  Arrange anew
                </Action>
                <p class="dim">
                  New memories come among their neighbours, and nothing else moves. After many of them a new
                  arrangement may be clearer; then everything finds another place, once.
                </p>
              </>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function Browser({ picture }: { picture: Picture }) {
  const { route } = useLocation()
  const [parts, change] = useAddress()
  const colouring = COLOURINGS.find((name) => name === parts['by']) ?? 'kind'
  const kinds = parts['kind']?.split(',').filter(Boolean) ?? []
  const [view, setView] = useMapView()
  const [selected, select] = useState<string>()
  const chosenKinds = kinds.join(',')
  const { points, groups } = useMemo(() => {
    const all = onMap(picture.points, colouring)
    const wanted = (point: Point) => chosenKinds === '' || chosenKinds.split(',').includes(point.address.kind)
    return { ...all, points: all.points.filter(wanted) }
  }, [picture, colouring, chosenKinds])
  const byId = useMemo(() => new Map(points.map((point) => [point.id, point])), [points])
  const seen = inSight(points, view)
  const current = selected === undefined ? undefined : byId.get(selected)
  return (
    <>
      <div class="filters">
        <label>
          Colour by{' '}
          <select
            value={colouring}
            onChange={({ currentTarget }) =>
              change({ by: currentTarget.value === 'kind' ? '' : (currentTarget.value as Colouring) })
            }
          >
            {COLOURINGS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <KindChoice chosen={kinds} choose={(wanted) => change({ kind: wanted.join(',') })} />
      </div>
      <div class="map-browser">
        <div>
          <MemoryMap
            points={points}
            groups={groups}
            name={`${wholeNumber(points.length)} memories by meaning`}
            view={view}
            onView={setView}
            selected={selected}
            onSelect={select}
            onOpen={(id) => {
              const point = byId.get(id)
              if (point) route(memoryHref(point.address))
            }}
          />
          <div class="map-selected card" aria-live="polite">
            {current ? <Memory point={current} /> : <span class="dim">Point at a memory to read it.</span>}
          </div>
        </div>
        <section class="map-list" aria-labelledby="in-sight">
          <h2 id="in-sight">In sight</h2>
          <p class="dim">
            {seen.length > LISTED
              ? `${LISTED} of ${wholeNumber(seen.length)}, those in the middle first: enlarge the map for others.`
              : `${seen.length}, those in the middle first`}
          </p>
          <List
            items={seen.slice(0, LISTED)}
            label="Memories in sight"
            keyOf={({ id }) => id}
            hrefOf={({ address }) => memoryHref(address)}
          >
            {(point) => <Memory point={point} />}
          </List>
        </section>
      </div>
    </>
  )
}

/** The part of the map that is seen: at once on the screen, and in the address when it has come to rest. */
function useMapView(): [MapView, (view: MapView) => void] {
  const { route, path, query } = useLocation()
  const [view, setView] = useState(() => viewFrom(query['at'] ?? ''))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(query)
  latest.current = query
  useEffect(() => () => clearTimeout(timer.current), [])
  const move = (next: MapView) => {
    setView(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (location.pathname !== path) return // somebody has gone on meanwhile
      const parts = new URLSearchParams(latest.current)
      const at = viewText(next)
      if (at === '') parts.delete('at')
      else parts.set('at', at)
      route(parts.size > 0 ? `${path}?${parts}` : path, true)
    }, SETTLED_MS)
  }
  return [view, move]
}

function Memory({ point }: { point: Point }) {
  const { title, text } = point
  return (
    <div class="hit">
      <MemoryHead memory={point} />
      <p>
        <Remembered text={title ? `${title}: ${text}` : text} />
      </p>
    </div>
  )
}

function Remarks({ picture }: { picture: Picture }) {
  const { points, memories, otherModel, behind } = picture
  return (
    <p class="facts">
      <span>
        <strong>{wholeNumber(points.length)}</strong> of {wholeNumber(memories)} memories
        {points.length < memories && ': a fair sample, always the same, of what has been embedded'}
      </span>
      {otherModel > 0 && (
        <span>
          {wholeNumber(otherModel)} were embedded by another model and come back once they are embedded anew
        </span>
      )}
      {behind.length > 0 && (
        <span>
          still being embedded: <Remembered text={behind.join(', ')} />
        </span>
      )}
    </p>
  )
}

function Nothing({ picture }: { picture: Picture }) {
  if (picture.memories > 0 || picture.behind.length > 0)
    return (
      <Empty command="ralph doctor">
        There are memories, but none has been embedded yet. If that does not change by itself:
      </Empty>
    )
  return (
    <Empty command="ralph loop">
      Nothing is remembered yet. Let an agent work, or import what there is (ralph conversations import):
    </Empty>
  )
}
