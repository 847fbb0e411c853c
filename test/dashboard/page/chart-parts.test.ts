import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { binned, binSize, spread } from '../../../src/dashboard/page/charts/bins.ts'
import { Rows } from '../../../src/dashboard/page/charts/chart.tsx'
import { everyDay, spanOf } from '../../../src/dashboard/page/charts/days.ts'
import { lifeOf } from '../../../src/dashboard/page/charts/life.ts'
import {
  neighbour,
  panned,
  placeOf,
  pointAt,
  showing,
  WHOLE_MAP,
  zoomed,
} from '../../../src/dashboard/page/charts/map-view.ts'
import { dollars, percent } from '../../../src/dashboard/page/charts/numbers.ts'
import { groupByTold } from '../../../src/dashboard/page/charts/told-groups.ts'

describe('putting neighbours together', () => {
  it('takes round sizes', () => {
    expect(binSize(10, 100)).toBe(1)
    expect(binSize(101, 100)).toBe(2)
    expect(binSize(2_900, 100)).toBe(50)
    expect(binSize(1_000_000, 100)).toBe(10_000)
  })

  it('keeps their order and loses none', () => {
    const items = Array.from({ length: 1_003 }, (_, at) => at)
    const bins = binned(items, 30)
    expect(bins.length).toBeLessThanOrEqual(30)
    expect(bins.flat()).toEqual(items)
    expect(binned([], 30)).toEqual([])
  })

  it('chooses evenly', () => {
    expect(spread(7, 10)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(spread(20, 4)).toEqual([0, 5, 10, 15])
  })
})

describe('days', () => {
  const quiet = (day: string) => ({ day })

  it('are all there, over the end of a month too', () => {
    const days = everyDay([{ day: '2026-02-27' }, { day: '2026-03-02' }], quiet)
    expect(days.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(spanOf(days)).toBe('27 Feb – 2 Mar')
    expect(spanOf(days.slice(0, 1))).toBe('27 Feb')
  })

  it('are not made up for a thousand years by a clock that was wrong', () => {
    expect(everyDay([{ day: '2026-02-27' }, { day: '0001-01-01' }], quiet)).toHaveLength(2)
    expect(everyDay([{ day: 'no day' }], quiet)).toEqual([])
  })
})

describe('the life of an error', () => {
  const error = (sightings: number[], life: 'open' | 'solved' | 'came_back' | 'not_seen_since') => ({
    id: 'e',
    message: 'boom',
    life,
    times: sightings.length,
    sightings: sightings.map((iteration) => ({ iteration })),
    solutions: [] as { iteration: number; cameBackIn?: number }[],
  })

  it('lasts until it was solved, and goes on where it came back', () => {
    const back = { ...error([2, 9], 'came_back'), solutions: [{ iteration: 5, cameBackIn: 9 }] }
    expect(lifeOf(back, 12).stretches).toEqual([
      { from: 2, to: 5, certain: true },
      { from: 9, to: 12, certain: true },
    ])
    const solved = { ...error([2], 'solved'), solutions: [{ iteration: 5 }] }
    expect(lifeOf(solved, 12).stretches).toEqual([{ from: 2, to: 5, certain: true }])
  })

  it('is not claimed to go on when nothing was seen of it since', () => {
    expect(lifeOf(error([2, 4], 'not_seen_since'), 12).stretches).toEqual([
      { from: 2, to: 4, certain: true },
      { from: 4, to: 12, certain: false },
    ])
  })
})

describe('a map', () => {
  const size = { width: 432, height: 232 }
  const points = [
    { id: 'left', x: 0.1, y: 0.5 },
    { id: 'middle', x: 0.5, y: 0.5 },
    { id: 'right', x: 0.9, y: 0.55 },
    { id: 'below', x: 0.52, y: 0.9 },
  ]

  it('finds what lies at a place on the screen, whatever the view', () => {
    const near = zoomed(WHOLE_MAP, 4, size, placeOf(points[2]!, WHOLE_MAP, size))
    for (const view of [WHOLE_MAP, near])
      expect(pointAt(points, placeOf(points[2]!, view, size), view, size)?.id).toBe('right')
    expect(pointAt(points, { x: 0, y: 0 }, WHOLE_MAP, size)).toBeUndefined()
  })

  it('stays on the map, and enlarges what is pointed at', () => {
    expect(panned(WHOLE_MAP, { x: 500, y: 500 }, size)).toEqual(WHOLE_MAP)
    const at = placeOf(points[1]!, WHOLE_MAP, size)
    expect(placeOf(points[1]!, zoomed(WHOLE_MAP, 3, size, at), size)).toEqual(at)
    expect(zoomed(WHOLE_MAP, 1 / 3, size).zoom).toBe(1)
    const near = zoomed(WHOLE_MAP, 8, size)
    expect(showing(near, points[1]!)).toBe(near)
    expect(showing(near, points[0]!).x).toBeCloseTo(0.1)
  })

  it('is walked through in four directions', () => {
    expect(neighbour(points, points[1]!, 'left')?.id).toBe('left')
    expect(neighbour(points, points[1]!, 'right')?.id).toBe('right')
    expect(neighbour(points, points[1]!, 'down')?.id).toBe('below')
    expect(neighbour(points, points[1]!, 'up')).toBeUndefined()
  })
})

it('groups runs by how much they were told', () => {
  const runs = [
    { told: 0, used: 0, succeeded: false },
    { told: 3, used: 1, succeeded: true },
    { told: 40, used: 2, succeeded: true },
  ]
  expect(groupByTold(runs).map(({ name, runs, told }) => [name, runs, told])).toEqual([
    ['nothing', 1, 0],
    ['1 to 3 memories', 1, 3],
    ['10 memories and more', 1, 40],
  ])
})

it('shows a table no longer than anybody reads, and says so', () => {
  const rows = Array.from({ length: 250 }, (_, at) => [`row ${at}`, '<i>'])
  const html = renderToString(h(Rows, { title: 'All', table: { columns: ['One', 'Two'], rows } }))
  expect(html.split('<tr>').length - 1).toBe(201)
  expect(html).toContain('50 more rows are not shown.')
  expect(html).toContain('scope="row"')
  expect(html).not.toContain('<i>')
})

it('writes money and shares as people do', () => {
  expect([0, 0.00123, 0.5, 1234.5].map(dollars)).toEqual(['$0.00', '$0.0012', '$0.50', '$1,234.50'])
  expect(percent(1, 3)).toBe('33 %')
  expect(percent(0, 0)).toBe('–')
})
