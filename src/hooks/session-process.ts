import { readFileSync } from 'node:fs'
import { type ProcessStat, parseProcessStat } from '../files/process-stat.ts'

/** A process by its number and its start: numbers are given to others again. */
export interface SessionProcess {
  pid: number
  started: string
}

const SHELLS = /^(?:sh|bash|dash|zsh|ash|ksh|busybox|timeout|env)$/

/** Who runs the session that this hook belongs to: the first ancestor that is no shell. Undefined where one cannot look. */
export function sessionProcess(): SessionProcess | undefined {
  for (let pid = process.ppid; pid > 1; ) {
    const seen = look(pid)
    if (!seen) return undefined
    if (!SHELLS.test(seen.name)) return { pid, started: seen.started }
    pid = seen.parent
  }
  return undefined
}

export function isAlive({ pid, started }: SessionProcess): boolean {
  const seen = look(pid)
  return seen?.started === started && seen.state !== 'Z'
}

/** Linux tells it in a file. Elsewhere it would take another process, longer than a hook may take. */
function look(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return undefined
  }
}
