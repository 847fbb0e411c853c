import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { AGENT_NAMES, type AgentName } from '../transcripts/agents.ts'
import { SyncLedger } from './ledger.ts'

/** A session that was written to so recently may still go on. */
export const QUIET_MS = 5 * 60_000
/** Files of one agent; whoever looks has other things to do, and `ralph sync` sees the rest. */
const MOST_LOOKS = 300
/** These name the folder of a session after the place that it took place in. */
const NAMED_AFTER_PLACE: ReadonlySet<AgentName> = new Set(['claude-code', 'qwen', 'pi'])

/**
 * Whether something that may be a session of this project was written to since sessions were last looked at, and has come
 * to rest: asked of names and times alone, in a few milliseconds.
 */
export function hasNewSessions(config: Config, now = Date.now()): boolean {
  // Where memory was not set up, nothing is recorded unasked.
  if (!existsSync(config.paths.database)) return false
  const ledger = new SyncLedger(config, now)
  const look = new Look(ledger.lookedAt ?? ledger.since, now - QUIET_MS)
  return AGENT_NAMES.some((agent) => look.finds(config.sessionPlaces[agent], agent, config.project))
}

class Look {
  readonly #after: number
  readonly #before: number
  #left = 0

  constructor(after: number, before: number) {
    this.#after = after
    this.#before = before
  }

  finds(place: string, agent: AgentName, project: string): boolean {
    this.#left = MOST_LOOKS
    const entries = entriesOf(place)
    // What a database has not taken in yet lies beside it.
    if (!entries) return this.#isNew(place) || this.#isNew(`${place}-wal`)
    const own = folderName(project)
    return entries
      .filter(({ name }) => !NAMED_AFTER_PLACE.has(agent) || name.toLowerCase().includes(own))
      .some((entry) => this.#below(place, entry))
  }

  #below(folder: string, entry: Dirent): boolean {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return this.#isNew(path)
    return this.#left > 0 && (entriesOf(path) ?? []).some((below) => this.#below(path, below))
  }

  #isNew(path: string): boolean {
    if (this.#left-- <= 0) return false
    try {
      const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
      return time > this.#after && time < this.#before
    } catch {
      return false // not to be looked at
    }
  }
}

/** The latest first, where names begin with a time; undefined for what is no folder. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? 1 : -1))
  } catch {
    return undefined // not there, no folder, or not to be read: then there is nothing to be seen
  }
}

function folderName(project: string): string {
  return project
    .replace(/[^a-zA-Z0-9]/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 150)
}
