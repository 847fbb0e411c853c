import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { dashboardApi } from '../../src/dashboard/api/api.ts'
import { answerError } from '../../src/dashboard/api/errors.ts'
import { projectChanges } from '../../src/dashboard/live/project-changes.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from './temporary.ts'

/** The routes of the page over a project of its own, by words only unless told otherwise; gone after the test. */
export async function openedApi(env: NodeJS.ProcessEnv = {}) {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const ralph = await openRalph({
    ...{ project, home, via: 'page', onNotice: () => undefined },
    env: { RALPH_EMBEDDER: 'none', ...env },
  })
  onTestFinished(() => ralph.close())
  const changes = projectChanges(ralph)
  onTestFinished(() => changes.close())
  const api = new Hono().onError(answerError).route('/', dashboardApi({ ralph, readOnly: false, changes }))
  const ask = async <Body = unknown>(path: string, method = 'GET', body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await api.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  return { ralph, ask, project, home }
}
