import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { keptJson } from '../files/kept-json.ts'
import { makeOwnFolder } from '../files/own-files.ts'
import { isRunning } from '../files/running.ts'
import type { UndoableChange } from '../noted-change.ts'
import { LoggedPart, type NewChange } from './logged-change.ts'

const Stored = z.object({
  ...{ key: z.string(), at: z.string(), label: z.string(), parts: z.array(LoggedPart) },
  ...{ remark: z.string().optional(), byAgent: z.boolean().optional(), undoes: z.int().optional() },
})

/** What somebody was about to change, of whom nothing more was heard. */
export type Unheard = Omit<NewChange, 'final'> & { key: string; at: string }

/** Of this process: its own number may have been somebody else's before. */
const mine = new Set<string>()

/**
 * What one command is about to change, in a file beside the log: who is killed between a change and its note has said before
 * what it was. Not flushed: it is for processes that die, not for machines.
 */
export class UnderWay {
  readonly key = crypto.randomUUID().slice(0, 8)
  readonly #file: string
  readonly #change: NewChange
  readonly #at = new Date().toISOString()
  readonly #parts: UndoableChange[] = []

  constructor(log: string, change: NewChange) {
    this.#file = `${beginning(log)}${process.pid}-${this.key}.under-way`
    this.#change = change
  }

  announce(part: UndoableChange): void {
    this.#parts.push(part)
    const { label, remark, byAgent, undoes } = this.#change
    const stored = { key: this.key, at: this.#at, label, parts: this.#parts, remark, byAgent, undoes }
    try {
      makeOwnFolder(dirname(this.#file), 0o700)
      writeDisposableFile(this.#file, JSON.stringify(stored))
      mine.add(this.#file)
    } catch {
      // In a home that cannot be written the change cannot be noted either, which is said then.
    }
  }

  /** It is noted, or was never made. */
  end(): void {
    if (!mine.delete(this.#file)) return
    rmSync(this.#file, { force: true })
  }
}

/** What was under way when its process ended, the earliest first; `take` is called once nobody needs it any more. */
export function unheardOf(log: string): { unheard: Unheard | undefined; take: () => void }[] {
  const files = filesOf(log).filter((file) => !mine.has(file) && !isRunningElsewhere(file))
  const found = files.map((file) => ({
    unheard: keptJson(file, (value) => Stored.parse(value) as Unheard),
    take: () => rmSync(file, { force: true }),
  }))
  return found.sort((a, b) => ((a.unheard?.at ?? '') < (b.unheard?.at ?? '') ? -1 : 1))
}

export function forgetUnderWay(log: string): void {
  for (const file of filesOf(log)) rmSync(file, { force: true })
}

function beginning(log: string): string {
  return log.replace(/json$/, '')
}

function filesOf(log: string): string[] {
  try {
    const names = readdirSync(dirname(log))
    const start = basename(beginning(log))
    return names
      .filter((name) => name.startsWith(start) && name.endsWith('.under-way'))
      .map((name) => join(dirname(log), name))
  } catch {
    return [] // no folder yet, or one that nobody may read: said by whoever writes
  }
}

function isRunningElsewhere(file: string): boolean {
  const pid = Number(/\.(\d+)-[0-9a-f]+\.under-way$/.exec(file)?.[1])
  return pid !== process.pid && isRunning(pid)
}
