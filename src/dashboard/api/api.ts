import { Hono } from 'hono'
import type { DashboardContext } from '../context.ts'
import { liveApi } from './live.ts'
import { sessionApi } from './session.ts'

/** Every route of the page, one file for each part. */
export function dashboardApi(context: DashboardContext) {
  return new Hono().route('/session', sessionApi(context)).route('/live', liveApi())
}

/** What the page's client is typed by. */
export type Api = ReturnType<typeof dashboardApi>
