import { readFileSync } from 'node:fs'
import { processStat } from '../files/process-stat.ts'

/** A process by its number and its start: numbers are given to others again. */
export interface SessionProcess {
  pid: number
  started: string
}

const SHELLS = /^(?:sh|bash|dash|zsh|ash|ksh|busybox|timeout|env)$/

/** Who runs the session of a hook: from whoever started it upwards, the first that does more than call it. Undefined where one cannot look. */
export function sessionProcess(parent: number): SessionProcess | undefined {
  for (let pid = parent; pid > 1; ) {
    const seen = processStat(pid)
    if (!seen) return undefined
    if (!SHELLS.test(seen.name) && !isOurLine(pid)) return { pid, started: seen.started }
    pid = seen.parent
  }
  return undefined
}

/** The line in the settings that calls `ralph` from the search path: `node -e CODE ralph hook EVENT`. */
function isOurLine(pid: number): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words[1] === '-e' && words[3] === 'ralph' && words[4] === 'hook'
  } catch {
    return false // has ended meanwhile, or is somebody else's
  }
}

export function isAlive({ pid, started }: SessionProcess): boolean {
  const seen = processStat(pid)
  return seen?.started === started && seen.state !== 'Z'
}
