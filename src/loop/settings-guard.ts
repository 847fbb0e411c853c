import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import type { Demand } from '../trust/demand.ts'

/** The settings of a project as the loop knows them. */
export interface ProjectSettings {
  file: string
  /** What the file asks for now that executes, sends or connects. Throws when it cannot be read. */
  demands: () => Demand[]
  isTrusted: (demand: Demand) => boolean
}

/** The file before a run; no content where there was none. */
export interface SettingsSnapshot {
  content?: Buffer | undefined
  demands: Demand[]
}

/**
 * An agent may set how memory is searched, not what is started and where texts are sent: without a person's trust it would
 * have no effect, and with the next `ralph trust` somebody might wave it through.
 */
export class SettingsGuard {
  readonly #settings: ProjectSettings
  readonly #rejected: string

  constructor(settings: ProjectSettings, cacheDir: string) {
    this.#settings = settings
    this.#rejected = join(cacheDir, 'guard', 'rejected')
  }

  /** Undefined for a file that cannot be read: then there is nothing to go back to. */
  snapshot(): SettingsSnapshot | undefined {
    try {
      return { demands: this.#settings.demands(), content: this.#content() }
    } catch {
      return undefined
    }
  }

  /** What was put back, in words. What a person has trusted meanwhile stays. */
  async undo(before: SettingsSnapshot | undefined): Promise<string[]> {
    const reason = before && this.#harm(before)
    if (!before || !reason) return []
    const { file } = this.#settings
    const { content } = before
    this.#keep()
    if (content) await writeFileAtomically(file, content)
    else await rm(file, { force: true, recursive: true })
    return [`${basename(file)}: ${reason}: ${content ? 'restored' : 'removed'}`]
  }

  #harm(before: SettingsSnapshot): string | undefined {
    try {
      const now = this.#settings.demands()
      const hashes = new Set(before.demands.map(({ hash }) => hash))
      const added = now.find((demand) => !hashes.has(demand.hash) && !this.#settings.isTrusted(demand))
      if (added) return `${added.name} would have ${added.lines.join(', ')}, which a person has to trust`
      const names = new Set(now.map(({ name }) => name))
      const lost = before.demands.find(({ name }) => !names.has(name))
      return lost && `${lost.name} lost ${lost.lines.join(', ')}`
    } catch (error) {
      return messageOf(error)
    }
  }

  #content(): Buffer | undefined {
    try {
      return readOwnFile(this.#settings.file)
    } catch {
      return undefined // there is none, or a folder or a link in its place
    }
  }

  /** Nobody should lose what was written, be it an agent's. */
  #keep(): void {
    const content = this.#content()
    if (!content) return
    const folder = join(this.#rejected, new Date().toISOString().replace(/[:.]/g, '-'))
    makeOwnFolder(folder)
    writeOwnFile(join(folder, basename(this.#settings.file)), content)
  }
}
