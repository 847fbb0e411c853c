import { once } from 'node:events'
import type { Command } from 'commander'
import { openRalph } from '../../ralph.ts'
import { parseWholeNumber, withExamples } from '../command.ts'
import { Output } from '../output.ts'

interface DashboardFlags {
  project?: string
  port: number
  readOnly?: boolean
  json?: boolean
}

export function register(dashboard: Command): void {
  dashboard
    .option(
      '--port <number>',
      'where to listen (default: any port that is free)',
      parseWholeNumber('--port'),
      0,
    )
    .option('--read-only', 'to look only: nothing can be changed through the page')
    .option('--project <dir>', 'the project (default: nearest folder with .ralph or .git)')
    .option('--json', 'print JSON for programs')
    .action(async () => serve(dashboard.opts<DashboardFlags>()))
  withExamples(dashboard, 'ralph dashboard', 'ralph dashboard --port 4700 --read-only')
}

async function serve({ project, port, readOnly = false, json = false }: DashboardFlags): Promise<void> {
  const { startDashboard } = await import('../../dashboard/serve.ts')
  const out = new Output({ json })
  // What is degraded is told on the page.
  const ralph = await openRalph({ project, via: 'page', onNotice: () => undefined })
  try {
    const running = await startDashboard({ ralph, port, readOnly })
    out.result({ address: running.address }, () => running.address)
    out.talk('Ctrl-C ends it.')
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await running.close()
  } finally {
    await ralph.close()
  }
}
