import { basename } from 'node:path'
import { Hono } from 'hono'
import { version } from '../../version.ts'
import type { DashboardContext } from '../context.ts'

/** What the frame of the page shows: where it is, what it may do, and what is degraded. */
export function sessionApi({ ralph, readOnly }: DashboardContext) {
  return new Hono().get('/', (c) => {
    const { project } = ralph.config
    return c.json({
      project,
      projectName: basename(project),
      version,
      readOnly,
      // With a file of one's own there is nobody to share with.
      isTeam: ralph.config.settings.storage.driver === 'postgres',
      notices: ralph.notices.current(),
    })
  })
}
