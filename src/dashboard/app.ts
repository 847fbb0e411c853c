import { Hono } from 'hono'
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
  app.route('/api', dashboardApi(context))
  app.all('/api/*', () => {
    throw new RalphError('not_found', 'there is no such route')
  })
  app.get('*', (c) => {
    const { content, type } = files.get(c.req.path) ?? files.get('/index.html')!
    return c.body(content, 200, { 'Content-Type': type })
  })
  return app
}
