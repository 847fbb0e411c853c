import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isOfOthers, type KnownWrites } from '../board/guard/attribution.ts'
import { messageOf } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { snakeKey } from '../text/case.ts'
import { asObject } from '../text/json.ts'
import type { Demand } from '../trust/demand.ts'

/** The settings of a project as the loop knows them. */
export interface ProjectSettings {
  file: string
  /** What the file asks for now that executes, sends or connects. Throws when it cannot be read. */
  demands: () => Promise<Demand[]>
  isTrusted: (demand: Demand) => boolean
}

/** The file before a run; no content where there was none. */
export interface SettingsSnapshot {
  content?: Buffer | undefined
  demands: Demand[]
}

interface Harm {
  reason: string
  /** The parts of the file that it is about; none when the file cannot be read. */
  groups: string[]
}

/**
 * An agent may set how memory is searched, not what is started and where texts are sent: without a person's trust it would
 * have no effect, and with the next `ralph trust` somebody might wave it through. Nor whether a person looks at its work.
 */
export class SettingsGuard {
  readonly #settings: ProjectSettings
  readonly #rejected: string

  constructor(settings: ProjectSettings, cacheDir: string) {
    this.#settings = settings
    this.#rejected = join(cacheDir, 'guard', 'rejected')
  }

  /** Undefined for a file that cannot be read: then there is nothing to go back to. */
  async snapshot(): Promise<SettingsSnapshot | undefined> {
    try {
      return { demands: await this.#settings.demands(), content: this.#content() }
    } catch {
      return undefined
    }
  }

  /** What was put back and what somebody else changed, in words. What a person has trusted meanwhile stays. */
  async undo(
    before: SettingsSnapshot | undefined,
    writes: (path: string) => KnownWrites,
  ): Promise<{ undone: string[]; others: string[] }> {
    const harm = before && (await this.#harm(before))
    if (!before) return { undone: [], others: [] }
    const { file } = this.#settings
    const name = basename(file)
    if (before.content && !this.#content()) {
      await writeFileAtomically(file, before.content)
      return { undone: [`${name} had vanished: put back`], others: [] }
    }
    if (!harm) return { undone: [], others: [] }
    if (isOfOthers(writes(file))) return { undone: [], others: [`${name}: ${harm.reason}`] }
    this.#keep()
    const mended = this.#withoutHarm(before, harm.groups)
    if (mended) await writeFileAtomically(file, mended)
    else await rm(file, { force: true, recursive: true })
    return { undone: [`${name}: ${harm.reason}: ${mended ? 'restored' : 'removed'}`], others: [] }
  }

  async #harm(before: SettingsSnapshot): Promise<Harm | undefined> {
    try {
      const now = await this.#settings.demands()
      const hashes = new Set(before.demands.map(({ hash }) => hash))
      const added = now.filter((demand) => !hashes.has(demand.hash) && !this.#settings.isTrusted(demand))
      const names = new Set(now.map(({ name }) => name))
      const lost = before.demands.filter(({ name }) => !names.has(name))
      const reasons = [
        ...added.map(
          ({ name, lines }) => `${name} would have ${lines.join(', ')}, which a person has to trust`,
        ),
        ...lost.map(({ name, lines }) => `${name} lost ${lines.join(', ')}`),
      ]
      const groups = [...added, ...lost].map(({ name }) => name)
      const [gate, gateNow] = [before.content, this.#content()].map(gateIn)
      if (gate !== gateNow) {
        reasons.push(`the gate would be ${gateNow ?? 'none'} instead of ${gate ?? 'none'}`)
        groups.push('loop')
      }
      return reasons.length === 0 ? undefined : { reason: reasons.join('; '), groups }
    } catch (error) {
      return { reason: messageOf(error), groups: [] }
    }
  }

  /** The file with these parts as they were and everything else as it is; undefined when nothing is left. */
  #withoutHarm({ content }: SettingsSnapshot, groups: readonly string[]): string | Buffer | undefined {
    const now = objectIn(this.#content())
    if (groups.length === 0 || !now) return content
    const was = objectIn(content) ?? {}
    const isMeant = (key: string) => groups.includes(snakeKey(key))
    const mended = Object.fromEntries([
      ...Object.entries(now).filter(([key]) => !isMeant(key)),
      ...Object.entries(was).filter(([key]) => isMeant(key)),
    ])
    if (isDeepStrictEqual(mended, was)) return content
    return Object.keys(mended).length > 0 ? `${JSON.stringify(mended, null, 2)}\n` : content
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

/** At which gate a person looks at what is done. */
function gateIn(content: Buffer | undefined): string | undefined {
  const gate = asObject(objectIn(content)?.['loop'])?.['gate']
  return gate === undefined ? undefined : JSON.stringify(gate)
}

function objectIn(content: Buffer | undefined): Record<string, unknown> | undefined {
  try {
    return z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(content?.toString('utf8').replace(/^\uFEFF/, '') ?? ''))
  } catch {
    return undefined
  }
}
