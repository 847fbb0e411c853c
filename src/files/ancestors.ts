import { readFileSync } from 'node:fs'
import { processStat } from './process-stat.ts'

/** A process, as far as it takes to know it again and to go on to who started it. */
export interface KnownProcess {
  parent: number
  /** With the number it names one process, since numbers are given again. */
  started?: string | undefined
}

export interface Ancestor extends KnownProcess {
  pid: number
}

/** This process and those that started it, the nearest first, as far as `look` knows them. Nobody twice: numbers are given again. */
export function* ancestorsFrom(
  first: number,
  look: (pid: number) => KnownProcess | undefined,
): Generator<Ancestor> {
  const seen = new Set<number>()
  for (let pid = first; pid > 1 && !seen.has(pid); ) {
    const known = look(pid)
    if (!known) return
    seen.add(pid)
    yield { pid, parent: known.parent, started: known.started }
    pid = known.parent
  }
}

/** On Linux: what a process was started with, each variable between two zeros; empty for one of another user. */
export function environmentOfProcess(pid: number): Buffer {
  try {
    return Buffer.concat([Buffer.alloc(1), readFileSync(`/proc/${pid}/environ`)])
  } catch {
    return Buffer.alloc(0)
  }
}

/** On Linux, where looking takes no other process. */
export const linuxAncestors = (first: number): Generator<Ancestor> => ancestorsFrom(first, processStat)
