import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf, fileError, isRalphError } from '../errors.ts'
import { RunMemory } from '../feature-memory/record.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile, requireOwnFolder } from '../files/own-files.ts'
import { writerOf } from '../files/temporary-name.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { redact } from '../text/redact.ts'
import { redactValue } from '../text/redact-value.ts'
import { AGENT_NAMES } from '../transcripts/agents.ts'
import { maskLog } from './mask-log.ts'

/** What must be known to record a run after a crash, from its log alone. */
const RunFacts = z.object({
  runId: z.string().regex(/^[\w-]+$/),
  /** Also the record's time stamp: together with the task it tells whether the run is in the journal already. */
  startedAt: z.iso.datetime(),
  review: z.boolean(),
  /** Whose lines are in the log; absent: told from them. */
  agent: z.enum(AGENT_NAMES).optional(),
  /** Names of MCP servers that were put into a file of the project for this run. */
  lent: z.array(z.string()).optional(),
  feature: z.string(),
  taskId: z.int(),
  taskTitle: z.string(),
  discipline: z.string(),
  modelTier: z.string().optional(),
  before: z.object({ status: z.string(), comments: z.int() }),
  log: z.string(),
  /** Ids of the learnings in the prompt. */
  shownLearnings: z.array(z.string()),
  memory: z.optional(RunMemory),
  pid: z.int().optional(),
  /** Numbers are given to others again: with its start it is known to be the same process. */
  pidStarted: z.string().optional(),
  /** `learned`: what may not happen twice has happened. */
  phase: z.enum(['running', 'ended', 'recorded', 'learned']),
  exitCode: z.int().nullable().optional(),
  signal: z.string().nullable().optional(),
  stopped: z.enum(['time', 'silence', 'cost', 'interrupted', 'recovered']).optional(),
  limitMs: z.number().optional(),
})
export type RunFacts = z.infer<typeof RunFacts>

/** How the id of a run begins that began then: logs sort by age, and a record's time stamp leads to its log. */
export function runStart(startedAt: string): string {
  return startedAt.replace(/[-:.]/g, '').slice(0, 18)
}

/** What is kept of runs is for finding out what happened lately: logs, and the prompts, which are much smaller. */
const KEPT = { '.jsonl': 50, '.prompt.md': 200 } as const
type KeptEnding = keyof typeof KEPT
const ENDINGS = Object.keys(KEPT) as KeptEnding[]
/** More than any budget of a prompt allows. */
const LONGEST_PROMPT = 1_000_000

/**
 * Every run leaves a note from before it starts until all that follows from it is stored. A note found at the start of a
 * loop is a run that a crash cut off: it is recorded from its log, once.
 */
export class RunFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  logPath(runId: string): string {
    return this.#keptPath(runId, '.jsonl')
  }

  file(runId: string, ending: string): string {
    return join(this.#folder, 'work', `${runId}${ending}`)
  }

  async prepare(): Promise<void> {
    try {
      for (const name of ['runs', 'logs', 'work']) makeOwnFolder(join(this.#folder, name))
    } catch (error) {
      throw fileError(error, this.#folder, 'preparing the loop')
    }
  }

  async save(facts: RunFacts): Promise<void> {
    await this.prepare() // an agent may have cleaned the folder away
    const safe = { ...redactValue(facts), log: facts.log }
    await writeFileAtomically(this.#path(facts.runId), JSON.stringify(snakeKeys(safe)), {
      doing: 'noting the run',
    })
  }

  /** Everything that follows from the run is stored. Its log has served its purpose: what is kept for people is masked. */
  async done(runId: string): Promise<void> {
    await maskLog(this.logPath(runId))
    await this.#keepPrompt(runId)
    await rm(this.#path(runId), { force: true })
    for (const ending of ['.mcp.json', '.prompt.md', '.stderr'])
      await rm(this.file(runId, ending), { force: true })
  }

  /** What the run that began then was told, masked; undefined when it was not kept, or no longer is. */
  async promptOf(startedAt: string): Promise<string | undefined> {
    const start = `${runStart(startedAt)}-`
    const name = (await this.#kept('.prompt.md')).find((runId) => runId.startsWith(start))
    return name === undefined ? undefined : readText(this.#promptPath(name))
  }

  /** A shortcut for people who wonder what a run was told: when it cannot be kept, the work goes on. */
  async #keepPrompt(runId: string): Promise<void> {
    const text = readText(this.file(runId, '.prompt.md'))
    if (text === undefined) return
    const masked = redact(text.slice(0, LONGEST_PROMPT))
    try {
      await writeFileAtomically(this.#promptPath(runId), masked, { disposable: true, mode: 0o600 })
    } catch (error) {
      if (!isRalphError(error)) throw error
    }
  }

  /** Runs that were cut off, the oldest first. */
  async unfinished(): Promise<RunFacts[]> {
    const found: RunFacts[] = []
    for (const name of await namesIn(join(this.#folder, 'runs'))) {
      if (!name.endsWith('.json')) continue
      const parsed = RunFacts.safeParse(await readJson(join(this.#folder, 'runs', name)))
      // Written by rename, so a file that is no note is somebody else's.
      if (!parsed.success || name !== `${parsed.data.runId}.json`) continue
      // Where its log lies is ours to say: a note may come with a clone, and name anybody's file.
      found.push({ ...parsed.data, log: this.logPath(parsed.data.runId) })
    }
    return found.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  }

  /** A note that a killed loop was just writing never counted. Only one loop writes here, and it asks before it writes. */
  async dropHalfWritten(): Promise<void> {
    for (const name of await namesIn(join(this.#folder, 'runs')))
      if (writerOf(name) !== undefined) await rm(join(this.#folder, 'runs', name), { force: true })
  }

  async dropOldLogs(): Promise<void> {
    for (const ending of ENDINGS) {
      const old = (await this.#kept(ending)).sort().slice(0, -KEPT[ending])
      for (const runId of old) await rm(this.#keptPath(runId, ending), { force: true })
    }
  }

  /** Removes logs and prompts of runs that are to be forgotten; one that is not recorded yet needs its own. */
  async forget(isForgotten: (runId: string) => boolean): Promise<void> {
    const needed = new Set((await this.unfinished()).map(({ runId }) => runId))
    for (const ending of ENDINGS) {
      for (const runId of await this.#kept(ending))
        if (isForgotten(runId) && !needed.has(runId)) await rm(this.#keptPath(runId, ending), { force: true })
    }
  }

  /** The runs of which this is kept. */
  async #kept(ending: KeptEnding): Promise<string[]> {
    const names = await namesIn(join(this.#folder, 'logs'))
    return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
  }

  #keptPath(runId: string, ending: KeptEnding): string {
    return join(this.#folder, 'logs', `${runId}${ending}`)
  }

  #promptPath(runId: string): string {
    return this.#keptPath(runId, '.prompt.md')
  }

  #path(runId: string): string {
    return join(this.#folder, 'runs', `${runId}.json`)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    // What is listed may be deleted: never behind a link.
    requireOwnFolder(folder)
    return await readdir(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, folder, 'looking for runs')
  }
}

function readText(path: string): string | undefined {
  try {
    return readOwnFile(path).toString('utf8')
  } catch {
    return undefined // never written, or cleaned away
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return camelKeys(JSON.parse(readOwnFile(path).toString('utf8')))
  } catch {
    return undefined // judged by the caller
  }
}
