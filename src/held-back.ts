import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import {
  type Ancestor,
  ancestorsFrom,
  environmentOfProcess,
  type KnownProcess,
  linuxAncestors,
} from './files/ancestors.ts'
import { readOwnFile } from './files/own-files.ts'

/** What is said, in every place, to whoever asks memory in a run that goes without it. */
export const HELD_BACK =
  'Memory is held back in this run, so that runs with it and without it can be compared: work without it. What you record is kept.'

interface Asking {
  /** Whoever started the process that asks. */
  parent?: number
  platform?: NodeJS.Platform
  /** All processes, where it takes another one to list them. */
  list?: () => Promise<ReadonlyMap<number, KnownProcess>>
}

/**
 * Whether memory is held back from whoever asks: it works for a run of the loop that goes without. The one place where that is
 * decided, for prompts' own tools, servers that an agent's program starts by itself, hooks and commands in the run's shell.
 */
export async function isHeldBack(config: Config, asking: Asking = {}): Promise<boolean> {
  if (isPlainlyHeldBack(config, asking)) return true
  const { parent = process.ppid, platform = process.platform, list = listed } = asking
  const runs = runsWithout(config.paths.cache)
  if (runs.length === 0) return false
  if (platform === 'linux') return isAmong(linuxAncestors(parent), runs)
  const table = await list()
  return isAmong(
    ancestorsFrom(parent, (pid) => table.get(pid)),
    runs,
  )
}

/**
 * The same as far as it takes no other process to tell, for hooks, which have no time and get the environment of their run from
 * every program that we know. By the environment of whoever started us too: not every program hands its own on to the servers it starts.
 */
export function isPlainlyHeldBack(
  { session }: Pick<Config, 'session'>,
  { parent = process.ppid, platform = process.platform }: Asking = {},
): boolean {
  if (session.memoryWithheld) return true
  if (platform !== 'linux') return false
  for (const { pid } of linuxAncestors(parent))
    if (environmentOfProcess(pid).includes('\0RALPH_LOOP_MEMORY=withheld\0')) return true
  return false
}

interface RunningWithout {
  pid: number
  started: string | undefined
}

function isAmong(ancestors: Iterable<Ancestor>, runs: readonly RunningWithout[]): boolean {
  for (const { pid, started } of ancestors)
    if (runs.some((run) => run.pid === pid && (run.started ?? started) === started)) return true
  return false
}

/** Runs of this project that go on without memory, by the notes of the loop. */
function runsWithout(cache: string): RunningWithout[] {
  const folder = join(cache, 'loop', 'runs')
  return namesIn(folder).flatMap((name) => {
    const note = readNote(join(folder, name))
    if (note?.phase !== 'running' || note.memory?.given !== false || !note.pid) return []
    return [{ pid: note.pid, started: note.pid_started }]
  })
}

interface RunNote {
  phase?: string
  pid?: number
  pid_started?: string
  memory?: { given?: boolean }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return [] // no loop has run here
  }
}

/** One that cannot be read is no note of ours, or its run has just ended. */
function readNote(path: string): RunNote | undefined {
  try {
    return JSON.parse(readOwnFile(path).toString('utf8')) as RunNote
  } catch {
    return undefined
  }
}

async function listed(): Promise<ReadonlyMap<number, KnownProcess>> {
  const { listAll } = await import('./loop/agent/inside-run.ts')
  return new Map((await listAll()).map((entry) => [entry.pid, entry]))
}
