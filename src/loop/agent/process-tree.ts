import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { listProcesses, type ProcessEntry } from './process-table.ts'

const run = promisify(execFile)

/** The process that a run began with. Its start is known once somebody has looked. */
export interface FirstProcess {
  pid: number
  started?: string | undefined
}

/**
 * Everything a run has started: its first process, the descendants, what carries the run's mark although it has detached
 * itself (where the mark can be seen), and what belonged to it when somebody last looked.
 */
export class RunProcesses {
  readonly #runId: string
  readonly #first: FirstProcess | undefined
  readonly #platform: NodeJS.Platform
  readonly #list: typeof listProcesses
  readonly #seen = new Map<number, string | undefined>()

  constructor(
    runId: string,
    first?: FirstProcess,
    platform: NodeJS.Platform = process.platform,
    list = listProcesses,
  ) {
    this.#runId = runId
    this.#first = first
    this.#platform = platform
    this.#list = list
  }

  /** Those that are alive, by number. */
  async alive(): Promise<number[]> {
    const all = await this.#list(this.#runId, this.#platform)
    const table = withoutOurselves(all)
    const found = new Map(table.filter((entry) => this.#isOurs(entry)).map((entry) => [entry.pid, entry]))
    const parents = new Set(found.keys())
    // On Windows children keep the number of a parent that is gone; unless it is somebody else's by now.
    const there = new Set(all.map(({ pid }) => pid))
    const known = [...(this.#first ? [this.#first.pid] : []), ...this.#seen.keys()]
    for (const pid of known) if (!there.has(pid)) parents.add(pid)
    for (let size = -1; size !== parents.size; ) {
      size = parents.size
      for (const entry of table) {
        if (!parents.has(entry.parent)) continue
        parents.add(entry.pid)
        found.set(entry.pid, entry)
      }
    }
    for (const { pid, started } of found.values()) this.#seen.set(pid, started)
    return [...found.keys()]
  }

  /** The first process with its start, for whoever ends the run after us. */
  async first(): Promise<FirstProcess | undefined> {
    await this.alive()
    return this.#first && { ...this.#first, started: this.#seen.get(this.#first.pid) }
  }

  /** Windows knows no asking: there every signal ends. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    // Looked up before the first signal: orphans no longer tell whose children they were.
    const pids = await this.alive()
    if (this.#platform === 'win32') {
      const targets = this.#first && pids.length === 0 ? [this.#first.pid] : pids // none: they cannot be listed
      await run('taskkill', taskkillArguments(targets)).catch(() => {
        for (const pid of targets) send(pid, 'SIGKILL') // one is gone already, or it ends no trees
      })
      return
    }
    if (this.#first && this.#first.started === undefined) send(-this.#first.pid, signal)
    for (const pid of pids) send(pid, signal)
  }

  #isOurs({ pid, started, marked }: ProcessEntry): boolean {
    const first = this.#first
    const isFirst = pid === first?.pid && (first.started === undefined || first.started === started)
    return marked || isFirst || (started !== undefined && this.#seen.get(pid) === started)
  }
}

/** Neither this process nor one it descends from belongs to a run of ours, whatever a note in the project says. */
function withoutOurselves(table: readonly ProcessEntry[]): ProcessEntry[] {
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]))
  const ours = new Set<number | undefined>()
  for (let at: number | undefined = process.pid; at && !ours.has(at); at = parents.get(at)) ours.add(at)
  return table.filter(({ pid }) => !ours.has(pid))
}

/** For the exit handler of our own process, where nothing can wait. */
export function killGroupNow(pid: number): void {
  if (process.platform !== 'win32') send(-pid, 'SIGKILL')
  else if (spawnSync('taskkill', taskkillArguments([pid])).status !== 0) send(pid, 'SIGKILL')
}

function taskkillArguments(pids: readonly number[]): string[] {
  return ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone, or not ours to end: in both cases there is nothing left to do.
  }
}
