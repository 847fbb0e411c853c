import { closeSync, readFileSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { errnoOf } from '../errors.ts'
import { openOwnFileNow, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import type { Seal } from '../files/seal.ts'
import type { Mapping } from './yaml/edit.ts'

/** One change that came through the board, as plain data before and after. */
export interface LoggedWrite {
  file: string
  before?: Mapping | undefined
  after?: Mapping | undefined
  /** It was an agent that asked for it, from within its run: judged like what it writes into the files itself. */
  byAgent?: true
}

/**
 * What was changed through the board while an agent ran, so that the guard can tell it from what the agent wrote into
 * the files itself. Kept only between a guard's snapshot and its check; without a guard nothing is written.
 */
export class WriteLog {
  readonly #path: string
  readonly #isAgent: () => Promise<boolean>
  readonly #seal: Seal
  /** An agent may delete the file; what was acknowledged is still in it. */
  #held: number | undefined

  /** @internal */
  constructor(path: string, isAgent: () => Promise<boolean>, seal: Seal) {
    this.#path = path
    this.#isAgent = isAgent
    this.#seal = seal
  }

  async start(): Promise<void> {
    writeOwnFile(this.#path, '')
    this.#letGo()
    this.#held = openOwnFileNow(this.#path, 'read')
  }

  async stop(): Promise<void> {
    this.#letGo()
    await rm(this.#path, { force: true })
  }

  #letGo(): void {
    if (this.#held !== undefined) closeSync(this.#held)
    this.#held = undefined
  }

  /** Called before the file changes: after a crash in between, the guard completes the change instead of undoing it. */
  async note(write: LoggedWrite): Promise<void> {
    if (!(await exists(this.#path))) return
    const noted: LoggedWrite = (await this.#isAgent()) ? { ...write, byAgent: true } : write
    const text = JSON.stringify(noted)
    writeOwnFile(this.#path, `${this.#seal.mark(this.#path, text)} ${text}\n`, { access: 'append' })
  }

  async writes(): Promise<LoggedWrite[]> {
    let text: string
    try {
      text = (this.#held === undefined ? readOwnFile(this.#path) : readFileSync(this.#held)).toString('utf8')
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return []
      throw error
    }
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    return whole
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => this.#noted(line))
  }

  /** Lines that an agent has put there itself tell of no change through the board. */
  #noted(line: string): LoggedWrite[] {
    const end = line.indexOf(' ')
    const text = line.slice(end + 1)
    return this.#seal.isOurs(this.#path, text, line.slice(0, end)) ? [JSON.parse(text) as LoggedWrite] : []
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}
