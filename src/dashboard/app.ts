import { existsSync } from 'node:fs'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { RalphError } from '../errors.ts'
import { type AccessRules, guarded, safeHeaders } from './access.ts'
import { dashboardApi } from './api/api.ts'
import { answerError } from './api/errors.ts'
import type { DashboardContext } from './context.ts'
import { type PageFile, pageFiles } from './page-files.ts'

const LARGEST_BODY = 100_000

/** The whole of what a browser can ask for: our API, the files of the page, and the page for any other address. */
export function dashboardApp(
  context: DashboardContext,
  access: AccessRules,
  files: Map<string, PageFile> = pageFiles(),
): Hono {
  const app = new Hono()
  app.onError(answerError)
  app.use(safeHeaders)
  app.use(guarded(access))
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY,
      onError: () => {
        throw new HTTPException(413, { message: `more than ${LARGEST_BODY} bytes` })
      },
    }),
  )
  app.use('/api/*', projectThere(context.ralph.config.project))
  app.route('/api', dashboardApi(context))
  app.all('/api/*', nothingHere)
  // A part of a page that was built since: the page itself would be taken for a broken script.
  app.get('/assets/*', (c) => sent(c, files.get(c.req.path) ?? nothingHere()))
  app.get('*', (c) => sent(c, files.get(c.req.path) ?? files.get('/index.html')!))
  app.notFound(nothingHere)
  return app
}

/** The frame of the page goes on by these. */
const WITHOUT_PROJECT = new Set(['/api/session', '/api/live'])

/** Whatever works on a folder that is gone would make it anew, as another project. */
function projectThere(project: string): MiddlewareHandler {
  return async (c, next) => {
    if (!WITHOUT_PROJECT.has(c.req.path) && !existsSync(project))
      throw new RalphError('unavailable', `the project folder ${project} is not there any more`, {
        hint: 'Put it back, or end this dashboard and start it where the project is now.',
      })
    await next()
  }
}

function sent(c: Context, { content, type }: PageFile): Response {
  return c.body(content, 200, { 'Content-Type': type })
}

function nothingHere(): never {
  throw new RalphError('not_found', 'there is nothing at this address', {
    hint: '`ralph help dashboard` lists its addresses.',
  })
}
