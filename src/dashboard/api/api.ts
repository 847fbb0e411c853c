import { Hono } from 'hono'
import type { DashboardContext } from '../context.ts'
import { conversationsApi } from './conversations.ts'
import { doctorApi } from './doctor.ts'
import { documentsApi } from './documents.ts'
import { effectApi } from './effect.ts'
import { featuresApi } from './features.ts'
import { gatesApi } from './gates.ts'
import { iterationsApi } from './iterations.ts'
import { knowledgeApi } from './knowledge.ts'
import { learningsApi } from './learnings.ts'
import { liveApi } from './live.ts'
import { mapApi } from './map.ts'
import { overviewApi } from './overview.ts'
import { receiptsApi } from './receipts.ts'
import { searchApi } from './search.ts'
import { sessionApi } from './session.ts'
import { settingsApi } from './settings.ts'
import { workersApi } from './workers.ts'

/** Every route of the page, one file for each part. */
export function dashboardApi(context: DashboardContext) {
  return new Hono()
    .route('/session', sessionApi(context))
    .route('/live', liveApi(context))
    .route('/gates', gatesApi(context))
    .route('/knowledge', knowledgeApi(context))
    .route('/conversations', conversationsApi(context))
    .route('/documents', documentsApi(context))
    .route('/workers', workersApi(context))
    .route('/features', featuresApi(context))
    .route('/features/:feature/iterations/:number', iterationsApi(context))
    .route('/features/:feature/learnings', learningsApi(context))
    .route('/overview', overviewApi(context))
    .route('/search', searchApi(context))
    .route('/receipts', receiptsApi(context))
    .route('/effect', effectApi(context))
    .route('/map', mapApi(context))
    .route('/settings', settingsApi(context))
    .route('/doctor', doctorApi(context))
}

/** What the page's client is typed by. */
export type Api = ReturnType<typeof dashboardApi>
