import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { errnoOf, RalphError } from '../errors.ts'
import type { Ralph } from '../ralph.ts'
import { dashboardApp } from './app.ts'
import { Keys } from './keys.ts'
import { projectChanges } from './live/project-changes.ts'
import { markRunning } from './run-mark.ts'

export interface DashboardOptions {
  ralph: Ralph
  /** Absent: the usual one, or if it is taken any that is free. 0: any that is free. */
  port?: number | undefined
  readOnly: boolean
}

export interface RunningDashboard {
  port: number
  /** With the token in it: for the person who started it. */
  address: string
  /** An address that works once and soon, for a program that shows to others what it was called with. */
  addressForOnce(): string
  close(): Promise<void>
}

const USUAL_PORT = 4747

/** Serves the page to this machine alone. */
export async function startDashboard({ ralph, port, readOnly }: DashboardOptions): Promise<RunningDashboard> {
  const keys = new Keys()
  const changes = projectChanges(ralph)
  let listening = 0
  const app = dashboardApp({ ralph, readOnly, changes }, { keys, port: () => listening, readOnly })
  const listen = (wanted: number) => listenOn(wanted, app.fetch)
  const server = await listen(port ?? USUAL_PORT).catch((error) => {
    if (port === undefined && errnoOf(error) === 'EADDRINUSE') return listen(0)
    throw listenError(error, port ?? USUAL_PORT)
  })
  listening = portOf(server)
  // What changes from now on is news to whoever opens the page.
  await changes.position()
  const unmark = markRunning(ralph.config, listening)
  const addressWith = (token: string) => `http://127.0.0.1:${listening}/?token=${token}`
  return {
    port: listening,
    address: addressWith(keys.token),
    addressForOnce: () => addressWith(keys.ticket()),
    close: async () => {
      unmark()
      changes.close()
      await closed(server)
    },
  }
}

function listenOn(port: number, fetch: Parameters<typeof serve>[0]['fetch']): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: '127.0.0.1', port }, () => resolve(server)) as Server
    server.once('error', reject)
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Whoever still listens hears that it is over. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function listenError(error: unknown, port: number): unknown {
  switch (errnoOf(error)) {
    case 'EADDRINUSE':
      return new RalphError('conflict', `port ${port} is taken`, {
        hint: 'Name another with --port, or leave it out: then one that is free is taken.',
        cause: error,
      })
    case 'EACCES':
      return new RalphError('invalid_input', `port ${port} is not for you to use`, {
        hint: 'Name one above 1023 with --port, or leave it out.',
        cause: error,
      })
    default:
      return error
  }
}
