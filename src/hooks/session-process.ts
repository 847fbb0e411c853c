import { processStat } from '../files/process-stat.ts'

/** A process by its number and its start: numbers are given to others again. */
export interface SessionProcess {
  pid: number
  started: string
}

const SHELLS = /^(?:sh|bash|dash|zsh|ash|ksh|busybox|timeout|env)$/

/** Who runs the session of a hook: from whoever started it upwards, the first that is no shell. Undefined where one cannot look. */
export function sessionProcess(parent: number): SessionProcess | undefined {
  for (let pid = parent; pid > 1; ) {
    const seen = processStat(pid)
    if (!seen) return undefined
    if (!SHELLS.test(seen.name)) return { pid, started: seen.started }
    pid = seen.parent
  }
  return undefined
}

export function isAlive({ pid, started }: SessionProcess): boolean {
  const seen = processStat(pid)
  return seen?.started === started && seen.state !== 'Z'
}
