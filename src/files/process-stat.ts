import { readFileSync } from 'node:fs'

/** What Linux tells of a process in `/proc/<pid>/stat`. */
export interface ProcessStat {
  name: string
  /** `Z`: it has ended, and its parent has not looked yet. */
  state: string
  parent: number
  /** In ticks since the machine started: with the number it names one process, since numbers are given again. */
  started: string
}

/** The name in parentheses may contain anything, also parentheses: the rest comes after the last one. */
function parseProcessStat(stat: string): ProcessStat {
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    state: fields[0]!,
    parent: Number(fields[1]),
    started: fields[19]!,
  }
}

/** Undefined for a process that is not there, and elsewhere, where it would take another process to look. */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return undefined
  }
}
