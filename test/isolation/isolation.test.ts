import { describe, expect, it } from 'vitest'
import { outdatedPages } from '../../scripts/measured/measured-page.ts'
import { measure } from './measure.ts'
import { ISOLATION_PAGES } from './report/pages.ts'
import { SURFACES } from './surfaces/all.ts'
import { baitOf, markOf, originsIn } from './world/marks.ts'

/** Those that start no process; the others are asked by `npm run isolation`. */
const HERE = ['library', 'conversations', 'recall', 'lookup', 'mcp', 'prompt', 'dashboard', 'moved']

describe('isolation', () => {
  it('holds on every surface of a small world', { timeout: 120_000 }, async () => {
    const measured = await measure({
      ...{ driver: 'sqlite', seed: 5 },
      size: { teams: 2, people: 1, projects: 1, features: 4, iterations: 2, conversations: 4 },
      surfaces: SURFACES.filter(({ name }) => HERE.includes(name)),
      searches: ({ share }) => Math.ceil(10 + 60 * share),
    })
    expect(measured.map(({ surface }) => surface.name)).toEqual(HERE)
    for (const { surface, tally } of measured) {
      expect(tally.leaks, surface.name).toEqual([])
      expect(tally.own, surface.name).toBeGreaterThan(0)
    }
  })

  it('is told by marks that nobody asks for', () => {
    const origin = { team: 1, person: 27, project: 600, feature: 3, kind: 'exchange' } as const
    expect(originsIn(`a ${markOf(origin)} and ${markOf(origin).toUpperCase()}`)).toEqual([origin])
    expect(originsIn(baitOf(origin))).toEqual([])
  })

  it('is written down as it was measured', () => {
    expect(outdatedPages(ISOLATION_PAGES)).toEqual([])
  })
})
