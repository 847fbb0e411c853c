import { existsSync, lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { deferred, lazy, once } from './deferred.ts'
import type { SearchIndex } from './search-index/search-index.ts'

/** Enough of a random id to tell the databases apart that one person works with. */
const ID_LENGTH = 8
const ENDING = '.db'
/** So long nobody has asked an index whose database nobody here works with any more. */
const FORGOTTEN_MS = 90 * 86_400_000

export interface OtherIndex {
  path: string
  bytes: number
  usedAt: Date
  /** Nobody works here with the database that it is of. */
  isLeftOver: boolean
}

interface HomeIndexParts {
  /** Of the storage in use. */
  storageId: () => Promise<string>
  open: (path: string) => SearchIndex
}

/**
 * The user's indexes that are files in the home folder. Each database has one of its own: what is found in it is in that
 * database, and how far it has come is said in that one's revisions.
 */
export class HomeIndexes {
  readonly #config: Config
  readonly #parts: HomeIndexParts

  constructor(config: Config, parts: HomeIndexParts) {
    this.#config = config
    this.#parts = parts
  }

  /** That of the database in use. */
  readonly current = lazy(
    () =>
      deferred(
        once(async () => {
          const path = await this.path()
          noteUse(path)
          return this.#parts.open(path)
        }),
      ) as SearchIndex,
  )

  async path(): Promise<string> {
    const { paths } = this.#config
    if (this.#isOfFile()) return paths.userIndex
    return join(paths.userIndexes, (await this.#parts.storageId()).slice(0, ID_LENGTH) + ENDING)
  }

  /** Those of databases that other projects work with, or worked with once. */
  async others(): Promise<OtherIndex[]> {
    const { userIndex, userIndexes, userDatabase } = this.#config.paths
    const own = await this.path()
    const ofServers = namesIn(userIndexes).filter((name) => name.endsWith(ENDING))
    const isForgotten = (usedAt: Date) => Date.now() - usedAt.getTime() > FORGOTTEN_MS
    return [userIndex, ...ofServers.map((name) => join(userIndexes, name))].flatMap((path) => {
      const [file, log] = [path, `${path}-wal`].map((one) => lstatSync(one, { throwIfNoEntry: false }))
      if (path === own || !file?.isFile()) return []
      const isLeftOver = path === userIndex ? !existsSync(userDatabase) : isForgotten(file.mtime)
      return [{ path, bytes: file.size + (log?.size ?? 0), usedAt: file.mtime, isLeftOver }]
    })
  }

  /** Refused while somebody uses it. */
  async remove(path: string): Promise<void> {
    await this.#parts.open(path).reset()
    rmSync(`${path}-lease`, { force: true })
  }

  #isOfFile(): boolean {
    return this.#config.settings.storage.driver === 'sqlite'
  }
}

/** Searching leaves no trace in a file, so whoever opens one says that it is in use. */
function noteUse(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // not made yet, or only to be read
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return [] // nothing was kept there yet
  }
}
