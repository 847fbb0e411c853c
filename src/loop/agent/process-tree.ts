import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Every process of a run carries it, also one that left its parent and its group. */
export const RUN_VARIABLE = 'RALPH_LOOP_RUN'

/**
 * Ends everything a run has started: its process group, its descendants, and (on Linux, where one can look) whatever
 * carries the run's mark although it has detached itself.
 */
export async function killTree(
  pid: number | undefined,
  runId: string,
  signal: NodeJS.Signals,
): Promise<void> {
  if (process.platform === 'win32') {
    if (pid !== undefined) await run('taskkill', ['/pid', String(pid), '/T', '/F']).catch(() => undefined)
    return
  }
  // Looked up before the first signal: orphans no longer tell whose children they were.
  const others = await processesOf(pid, runId)
  if (pid !== undefined) send(-pid, signal)
  for (const other of others) send(other, signal)
}

/** For the exit handler of our own process, where nothing can wait. */
export function killGroupNow(pid: number): void {
  send(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
}

/** The processes of a run that are alive. */
export async function processesOf(pid: number | undefined, runId: string): Promise<number[]> {
  const table = process.platform === 'linux' ? await linuxProcesses(runId) : await posixProcesses()
  const found = new Set<number>(table.filter((entry) => entry.marked).map((entry) => entry.pid))
  let grew = true
  while (grew) {
    grew = false
    for (const entry of table) {
      if (!found.has(entry.pid) && (entry.parent === pid || found.has(entry.parent))) {
        found.add(entry.pid)
        grew = true
      }
    }
  }
  found.delete(process.pid)
  return [...found]
}

interface ProcessEntry {
  pid: number
  parent: number
  marked: boolean
}

async function linuxProcesses(runId: string): Promise<ProcessEntry[]> {
  const mark = Buffer.from(`${RUN_VARIABLE}=${runId}\0`)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const entries = await Promise.all(
    pids.map(async (pid): Promise<ProcessEntry[]> => {
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
        // The name in parentheses may contain anything, also parentheses: the parent comes after the last one.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (fields[0] === 'Z') return []
        const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)) // of another user
        return [{ pid, parent: Number(fields[1]), marked: environment.includes(mark) }]
      } catch {
        return [] // has ended meanwhile
      }
    }),
  )
  return entries.flat()
}

async function posixProcesses(): Promise<ProcessEntry[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid='])
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((numbers) => numbers.length === 2)
    .map(([pid, parent]) => ({ pid: pid!, parent: parent!, marked: false }))
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone, or not ours to end: in both cases there is nothing left to do.
  }
}
