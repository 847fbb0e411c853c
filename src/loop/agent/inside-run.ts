import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { RUN_VARIABLE } from './process-table.ts'

const run = promisify(execFile)
const LOOP = /\bralph(?:\.js)?['"]?\s+loop\b/

/**
 * Whether a run of the loop is among those that started this process. The environment tells too, but an agent can take
 * the mark out of it; whose child it is it cannot change.
 */
export function isInsideRun(): Promise<boolean> {
  return process.platform === 'linux' ? hasMarkedAncestor(process.ppid) : hasLoopAmongAncestors()
}

async function hasMarkedAncestor(pid: number): Promise<boolean> {
  const mark = Buffer.from(`${RUN_VARIABLE}=`)
  for (let at = pid; at > 1; ) {
    const environment = await readFile(`/proc/${at}/environ`).catch(() => Buffer.alloc(0)) // of another user
    if (environment.includes(mark)) return true
    const stat = await readFile(`/proc/${at}/stat`, 'latin1').catch(() => '')
    at = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  }
  return false
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
