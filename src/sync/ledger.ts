import { join } from 'node:path'
import type { Config } from '../config.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import { hooksDir } from '../hooks/places.ts'
import { parseObject } from '../text/json.ts'
import type { SessionFile } from '../transcripts/kept-sessions.ts'

/** Nobody who begins to use it wants the work of years recorded unasked. */
const RECENT_MS = 7 * 86_400_000

type Mark = [identity: string, size: number, modifiedAt: number]

/**
 * Which sessions of a project have been dealt with, as they were then: kept with the user, like all that hooks note. How far
 * each of them is recorded stands in the notes of the session, which hooks write too.
 */
export class SyncLedger {
  readonly #path: string
  readonly #marks: Map<string, Mark>
  /** What was last written to before this moment, in milliseconds, is left alone. */
  readonly since: number
  /** All that was written to before this moment has been looked at; undefined before the first time. */
  readonly lookedAt: number | undefined

  constructor(config: Config, now = Date.now()) {
    this.#path = join(hooksDir(config), 'sync.json')
    const { since, lookedAt, sessions } = read(this.#path)
    this.since = since ?? now - RECENT_MS
    this.lookedAt = lookedAt
    this.#marks = new Map(Object.entries(sessions))
  }

  /** Whether nothing was written to it since it was dealt with. */
  knows({ path, identity, size, modifiedAt }: SessionFile): boolean {
    const known = this.#marks.get(path)
    return known?.[0] === identity && known[1] === size && known[2] === modifiedAt
  }

  add({ path, identity, size, modifiedAt }: SessionFile): void {
    this.#marks.set(path, [identity, size, modifiedAt])
  }

  /** Keeps it for the next time; `since` and `lookedAt` as they are to be then. */
  save({ since, lookedAt }: { since: number; lookedAt: number | undefined }): void {
    const sessions = Object.fromEntries(this.#marks)
    writeDisposableFile(this.#path, JSON.stringify({ since, lookedAt, sessions }))
  }
}

function read(path: string): { since?: number; lookedAt?: number; sessions: { [path: string]: Mark } } {
  let text: string
  try {
    text = readOwnFile(path).toString('utf8')
  } catch {
    return { sessions: {} } // the first time
  }
  // What a power cut or another version left is as good as nothing: the memories recognise what they have.
  const { since, lookedAt, sessions } = parseObject(text) ?? {}
  return {
    ...(typeof since === 'number' && { since }),
    ...(typeof lookedAt === 'number' && { lookedAt }),
    sessions: Object.fromEntries(
      Object.entries(typeof sessions === 'object' ? { ...sessions } : {}).filter(
        (entry): entry is [string, Mark] => Array.isArray(entry[1]) && entry[1].length === 3,
      ),
    ),
  }
}
