import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { errnoOf, RalphError } from '../errors.ts'
import type { Ralph } from '../ralph.ts'
import { dashboardApp } from './app.ts'

export interface DashboardOptions {
  ralph: Ralph
  /** 0: any that is free. */
  port: number
  readOnly: boolean
}

export interface RunningDashboard {
  /** With the token in it: for the person who started it. */
  address: string
  close(): Promise<void>
}

/** Serves the page to this machine alone. */
export async function startDashboard({ ralph, port, readOnly }: DashboardOptions): Promise<RunningDashboard> {
  const token = randomBytes(32).toString('base64url')
  let listening = port
  const app = dashboardApp({ ralph, readOnly }, { token, port: () => listening, readOnly })
  const server = await new Promise<Server>((resolve, reject) => {
    const starting = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (info) => {
      listening = info.port
      resolve(starting)
    }) as Server
    starting.once('error', (error) => reject(listenError(error, port)))
  })
  return {
    address: `http://127.0.0.1:${listening}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listenError(error: unknown, port: number): unknown {
  if (errnoOf(error) !== 'EADDRINUSE') return error
  return new RalphError('conflict', `port ${port} is taken`, {
    hint: 'Name another (--port), or leave it out: any that is free.',
    cause: error,
  })
}
