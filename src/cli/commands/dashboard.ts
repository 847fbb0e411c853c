import { type Command, InvalidArgumentError } from 'commander'
import type { RunningDashboard } from '../../dashboard/serve.ts'
import { isRalphError, messageOf } from '../../errors.ts'
import { isAgent } from '../../person.ts'
import { type OpenOptions, openRalph, type Ralph } from '../../ralph.ts'
import { type Run, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

interface DashboardFlags {
  port?: number
  open?: boolean
  readOnly?: boolean
  demo?: boolean
}

export function register(dashboard: Command): void {
  dashboard
    .option(
      '--port <number>',
      'where to listen (default: 4747, or if it is taken any that is free)',
      parsePort,
    )
    .option('--open', 'show it in your browser')
    .option('--read-only', 'to look only: nothing can be changed through the page')
    .option('--demo', 'look around in a sample project instead of your own')
  withExamples(
    dashboard,
    'ralph dashboard --open',
    'ralph dashboard --demo',
    'ralph dashboard --port 4700 --read-only',
  )
  ralphCommand<DashboardFlags>(dashboard, serve, { interrupts: 'patient', open: openShown })
}

/** The project, or the sample that is made by the first who asks for it. */
async function openShown(request: OpenOptions, { demo }: DashboardFlags, out: Output): Promise<Ralph> {
  if (!demo) return openRalph({ ...request, via: 'page' })
  const { keptSample } = await import('../../demo/kept-sample.ts')
  const { openSample } = await import('../../demo/demo.ts')
  const working = 'A scripted agent works in the sample project'
  out.progress(`${working}: this takes some seconds…`)
  const sample = await keptSample({
    onIteration: ({ number, taskTitle, outcome }) =>
      out.progress(`${working}: ${number} ${taskTitle}, ${outcome}`),
  })
  return openSample(sample, { onNotice: request.onNotice, via: 'page' })
}

async function serve({ ralph, options, out, signal }: Run<DashboardFlags>): Promise<void> {
  const { startDashboard } = await import('../../dashboard/serve.ts')
  // Whoever has the address could decide what is for people: an agent that starts it gets to look.
  const byAgent = await isAgent(ralph.config)
  const readOnly = options.readOnly === true || byAgent
  const running = await startDashboard({ ralph, port: options.port, readOnly })
  // A defect in one part must not end the page for all the others.
  const tellDefect = (error: unknown) =>
    out.talk(`ralph dashboard goes on after a defect: ${messageOf(error)}`)
  process.on('unhandledRejection', tellDefect)
  try {
    const { address, port } = running
    out.result({ address, port, project: ralph.config.project, readOnly }, () => address, { ours: true })
    if (byAgent) out.talk('To look only: an agent has started it, and what is decided here is for a person.')
    if (options.open) await show(running, out)
    out.talk('Ctrl-C ends it.')
    await aborted(signal)
  } finally {
    await running.close()
    process.off('unhandledRejection', tellDefect)
  }
}

async function show(running: RunningDashboard, out: Output): Promise<void> {
  const { openInBrowser } = await import('../open-browser.ts')
  try {
    await openInBrowser(running.addressForOnce())
  } catch (error) {
    if (!isRalphError(error)) throw error
    out.talk(`${error.message}. ${error.hint}`)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('--port must be a whole number from 0 to 65535.')
}
