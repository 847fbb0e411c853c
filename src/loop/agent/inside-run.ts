import { readdirSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { environmentOfProcess } from '../../files/ancestors.ts'
import { processStat } from '../../files/process-stat.ts'
import {
  listCommands,
  listProcesses,
  type ProcessCommand,
  type ProcessEntry,
  RUN_VARIABLE,
} from './process-table.ts'

export { isBelowAgent } from './below-agent.ts'

const LOOP = /\bralph(?:-memory)?(?:\.js|\.cmd)?['"]?\s+loop\b/
/** They adopt processes whose parent has ended. */
const ADOPTING = new Set(['systemd', 'init', 'tini', 'dumb-init', 'launchd'])

/**
 * Whether a run of the loop is among those that started this process. The environment tells too, but an agent can take
 * the mark out of it; whose child it is it cannot change.
 */
export async function isInsideRun(project: string): Promise<boolean> {
  return process.platform === 'linux' ? isOfMarked(project) : hasLoopAmongAncestors()
}

/**
 * Also one that has left its parents: it was adopted, and began after a run in this project that is still going on. A
 * terminal that a person has opened meanwhile was started by something older, or came from outside.
 */
function isOfMarked(project: string): boolean {
  let eldest = processStat(process.pid)
  for (let pid = process.ppid; pid > 1; ) {
    if (isMarked(pid)) return true
    const parent = processStat(pid)
    if (!parent || ADOPTING.has(parent.name)) break
    eldest = parent
    pid = parent.parent
  }
  // Whatever has no parent at all was put here from outside, as by `docker exec`.
  if (!eldest || eldest.parent === 0) return false
  const began = runBegan(project)
  return began !== undefined && Number(eldest.started) > began
}

/** When the oldest process of a run in this project that is alive began. */
function runBegan(project: string): number | undefined {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const starts: number[] = []
  for (const pid of pids) {
    const folder = told(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ''
    const isInside = folder === project || folder.startsWith(project + sep)
    const found = isInside && isMarked(pid) ? processStat(pid) : undefined
    if (found) starts.push(Number(found.started))
  }
  return starts.length > 0 ? Math.min(...starts) : undefined
}

const MARK = Buffer.from(`\0${RUN_VARIABLE}=`)

function isMarked(pid: number): boolean {
  return environmentOfProcess(pid).includes(MARK)
}

/** Nothing is told of a process of another user, or of one that has ended. Read at once: waiting for each takes far longer. */
function told<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Every process of this machine, whatever run it is of. */
export const listAll = (): Promise<ProcessEntry[]> => listProcesses('', process.platform)

/** Where the environment of others cannot be read, the loop itself is looked for. */
async function hasLoopAmongAncestors(): Promise<boolean> {
  return isBelowLoop(await listCommands(process.platform), process.ppid)
}

/** On Windows the number of a parent that has ended may be that of a descendant by now: nobody is asked twice. */
export function isBelowLoop(table: ReadonlyMap<number, ProcessCommand>, pid: number): boolean {
  const asked = new Set<number>()
  for (let at = pid; table.has(at) && !asked.has(at); at = table.get(at)!.parent) {
    if (LOOP.test(table.get(at)!.command)) return true
    asked.add(at)
  }
  return false
}
