import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { dashboardApi } from '../../src/dashboard/api/api.ts'
import { projectChanges } from '../../src/dashboard/live/project-changes.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('docs/dashboard.md lists every route there is, and no other', async () => {
  const folder = await temporaryFolder()
  const ralph = await openRalph({ project: folder, home: folder, env: {} })
  onTestFinished(() => ralph.close())
  const { routes } = dashboardApi({ ralph, readOnly: false, changes: projectChanges(ralph) })
  // What is asked on the way to a route, for all methods, is none itself.
  const there = routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} /api${path}`)
  const page = readFileSync(new URL('../../docs/dashboard.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `([A-Z]+ \/api\/[^`]+)` \|/gm)].map(([, route]) => route!)
  expect(listed.length).toBeGreaterThan(20)
  expect(listed.toSorted()).toEqual([...new Set(there)].toSorted())
})
