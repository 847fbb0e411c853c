import { startOllama } from '../../stand-ins/ollama.ts'
import { noPostgres, temporaryDatabase } from '../../stand-ins/postgres.ts'
import { startQdrant } from '../../stand-ins/qdrant.ts'

/** What memory stands on, and who shares it. */
export const DRIVERS = ['sqlite', 'qdrant', 'qdrant-tenants', 'postgres', 'postgres-qdrant'] as const
export type DriverName = (typeof DRIVERS)[number]

export const DRIVER_WORDS: { readonly [driver in DriverName]: string } = {
  sqlite: 'embedded index, SQLite',
  qdrant: 'one Qdrant for everybody, SQLite',
  'qdrant-tenants': 'one Qdrant for everybody with `index.tenants`, SQLite',
  postgres: 'embedded index, PostgreSQL of each team',
  'postgres-qdrant': 'one Qdrant for everybody, PostgreSQL of each team',
}

export interface Backends {
  /** Whether this machine has them. */
  driver: DriverName
  /** People of one team share a database; without one each is by themselves. */
  sharesStorage: boolean
  /** What a person of this team sets. */
  env(team: number): Record<string, string>
  /** Forgets what stand-ins have noted of each request. */
  tidy(): void
  close(): Promise<void>
}

export function missingDriver(driver: DriverName): string | undefined {
  return driver.startsWith('postgres') ? noPostgres : undefined
}

/** Few, so that a hundred thousand searches take minutes; enough to tell every word from most others. */
const DIMENSIONS = 64
const MODEL = 'words'

export async function startBackends(driver: DriverName, teams: number): Promise<Backends> {
  const undone: (() => Promise<void>)[] = []
  const ollama = await startOllama({ models: [MODEL], dimensions: DIMENSIONS })
  undone.push(() => ollama.close())
  const common = {
    ...{ RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: ollama.url, RALPH_EMBEDDER_MODEL: MODEL },
  }
  const qdrant = driver.includes('qdrant') ? await anyQdrant() : undefined
  if (qdrant) undone.push(qdrant.close)
  const index = qdrant && {
    ...{ RALPH_INDEX: 'qdrant', ...qdrant.env },
    ...(driver === 'qdrant-tenants' && { RALPH_QDRANT_TENANTS: 'true' }),
  }
  const databases: string[] = []
  for (let team = 0; driver.startsWith('postgres') && team < teams; team++) {
    const { url, remove } = await temporaryDatabase()
    databases.push(url)
    undone.push(remove)
  }
  return {
    driver,
    sharesStorage: databases.length > 0,
    env: (team) => ({
      ...common,
      ...index,
      ...(databases[team] && { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: databases[team] }),
    }),
    tidy() {
      ollama.requests.length = 0
      qdrant?.tidy()
    },
    async close() {
      for (const undo of undone.reverse()) await undo()
    },
  }
}

/** The real one where the environment names it; projects have ids of their own, so nothing of others is met there. */
async function anyQdrant() {
  const { RALPH_TEST_QDRANT_URL: url, RALPH_TEST_QDRANT_KEY: key } = process.env
  if (url) {
    const env = { RALPH_QDRANT_URL: url, ...(key && { RALPH_QDRANT_API_KEY: key }) }
    return { env, tidy: () => undefined, close: async () => undefined }
  }
  const standIn = await startQdrant()
  return {
    env: { RALPH_QDRANT_URL: standIn.url },
    tidy: () => {
      standIn.requests.length = 0
    },
    close: () => standIn.close(),
  }
}
