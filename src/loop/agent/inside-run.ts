import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { processStat } from '../../files/process-stat.ts'
import { listCommands, type ProcessCommand, RUN_VARIABLE } from './process-table.ts'

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

/**
 * Whether this process was started, by whomever, in a run that goes without memory. Its environment tells too, but not every
 * program hands its own on to the servers it starts.
 */
export function isBelowWithheldRun(): boolean {
  if (process.platform !== 'linux') return false
  for (let pid = process.ppid; pid > 1; pid = processStat(pid)?.parent ?? 0)
    if (holds(pid, WITHHELD)) return true
  return false
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
const WITHHELD = Buffer.from('\0RALPH_LOOP_MEMORY=withheld\0')

function isMarked(pid: number): boolean {
  return holds(pid, MARK)
}

function holds(pid: number, mark: Buffer): boolean {
  const environment = told(() => readFileSync(`/proc/${pid}/environ`)) ?? Buffer.alloc(0)
  return Buffer.concat([Buffer.alloc(1), environment]).includes(mark)
}

/** Nothing is told of a process of another user, or of one that has ended. Read at once: waiting for each takes far longer. */
function told<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

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
