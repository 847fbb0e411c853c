import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { sep } from 'node:path'
import { promisify } from 'node:util'
import { processStat } from '../../files/process-stat.ts'
import { RUN_VARIABLE } from './process-table.ts'

const run = promisify(execFile)
const LOOP = /\bralph(?:\.js)?['"]?\s+loop\b/
/** They adopt processes whose parent has ended. */
const ADOPTING = new Set(['systemd', 'init', 'tini', 'dumb-init', 'launchd'])

/**
 * Whether a run of the loop is among those that started this process. The environment tells too, but an agent can take
 * the mark out of it; whose child it is it cannot change.
 */
export function isInsideRun(project: string): Promise<boolean> {
  return process.platform === 'linux' ? isOfMarked(project) : hasLoopAmongAncestors()
}

/**
 * Also one that has left its parents: it was adopted, and began after a run in this project that is still going on. A
 * terminal that a person has opened meanwhile was started by something older, or came from outside.
 */
async function isOfMarked(project: string): Promise<boolean> {
  let eldest = processStat(process.pid)
  for (let pid = process.ppid; pid > 1; ) {
    if (await isMarked(pid)) return true
    const parent = processStat(pid)
    if (!parent || ADOPTING.has(parent.name)) break
    eldest = parent
    pid = parent.parent
  }
  // Whatever has no parent at all was put here from outside, as by `docker exec`.
  if (!eldest || eldest.parent === 0) return false
  const began = await runBegan(project)
  return began !== undefined && Number(eldest.started) > began
}

/** When the oldest process of a run in this project that is alive began. */
async function runBegan(project: string): Promise<number | undefined> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const starts: number[] = []
  for (const pid of pids) {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '') // of another user, or has ended
    const isInside = folder === project || folder.startsWith(project + sep)
    const found = isInside && (await isMarked(pid)) ? processStat(pid) : undefined
    if (found) starts.push(Number(found.started))
  }
  return starts.length > 0 ? Math.min(...starts) : undefined
}

const MARK = Buffer.from(`\0${RUN_VARIABLE}=`)

async function isMarked(pid: number): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)) // of another user
  return Buffer.concat([Buffer.alloc(1), environment]).includes(MARK)
}

/** Where the environment of others cannot be read, the loop itself is looked for. */
async function hasLoopAmongAncestors(): Promise<boolean> {
  if (process.platform === 'win32') return false
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,command='], { maxBuffer: 1 << 26 }).catch(() => ({
    stdout: '',
  }))
  const table = new Map<number, { parent: number; command: string }>()
  for (const line of stdout.split('\n')) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    if (pid) table.set(Number(pid), { parent: Number(parent), command })
  }
  for (let at = table.get(process.ppid); at; at = table.get(at.parent)) if (LOOP.test(at.command)) return true
  return false
}
