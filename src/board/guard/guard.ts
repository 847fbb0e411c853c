import { access, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError, messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../../files/own-files.ts'
import { renameFile } from '../../files/rename.ts'
import { redact } from '../../text/redact.ts'
import { type EntryFile, readText } from '../entry-file.ts'
import { FEATURES } from '../feature.ts'
import { checkMetadata } from '../metadata.ts'
import { TASKS } from '../task.ts'
import type { WriteLog } from '../write-log.ts'
import { isOfOthers, type KnownWrites } from './attribution.ts'
import type { EntryRule } from './judge.ts'
import { adoptAsAgents } from './learnings.ts'
import { type Mended, mend } from './mend.ts'
import { disciplineRule, featureRule, taskRule } from './rules.ts'

export interface GuardParts {
  // biome-ignore lint/suspicious/noExplicitAny: the guard treats all kinds of entries alike
  files: readonly EntryFile<any>[]
  metadataPath: string
  log: WriteLog
  /** For the snapshot, which must survive a crash, and for what was rejected, which nobody should lose. */
  folder: string
  locked: <T>(work: () => Promise<T>) => Promise<T>
  now: () => Date
}

/** The files' texts by name. */
export type Snapshot = Readonly<Record<string, string>>

export interface CheckContext {
  /** The feature whose iteration it was; changes to every other one are undone. */
  feature?: string | undefined
  /** Its task: others are neither rewritten nor closed, and what is done does not become undone by the way. */
  task?: number | undefined
  /** A review may reopen any task. */
  review?: boolean | undefined
  /** What is known of the agent's own writes to a file; without it, whatever changed may be the agent's. */
  writes?: ((path: string) => KnownWrites) | undefined
}

export interface GuardReport {
  /** What was undone, in words for the log; empty when the agent did no harm. */
  undone: string[]
  /** What somebody else changed meanwhile, and stays, in words. */
  others: string[]
  /** Where the files are kept as the agent left them, if anything was undone. */
  rejectedIn?: string | undefined
}

/** Rejected versions are for looking up what went wrong yesterday, not for ever. */
const KEPT_REJECTIONS = 20

/**
 * Agents edit the YAML themselves and are unreliable writers. `snapshot` before an iteration, `check` after it: a broken
 * file is restored, a destructive edit is undone field by field, the rest of the agent's work stays. What was changed
 * through the board meanwhile (command line, MCP) is not touched.
 */
export class BoardGuard {
  readonly #parts: GuardParts
  #kept: string | undefined

  /** @internal */
  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  /** Throws when the board is broken already: then there is nothing to compare with. */
  async snapshot(): Promise<Snapshot> {
    const { locked, files, metadataPath, log } = this.#parts
    return locked(async () => {
      const texts: Record<string, string> = {}
      for (const file of files) texts[file.kind.file] = (await file.load()).list.text
      texts[basename(metadataPath)] = await loadableMetadata(metadataPath)
      await this.#keep(texts)
      await log.start()
      return texts
    })
  }

  /** The snapshot of an iteration that was never checked, because we were killed. */
  async unchecked(): Promise<Snapshot | undefined> {
    try {
      await access(this.#openPath)
      return JSON.parse(readOwnFile(this.#snapshotPath).toString('utf8')) as Snapshot
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
      throw fileError(error, this.#snapshotPath, 'reading the snapshot of the board')
    }
  }

  async check(snapshot: Snapshot, context: CheckContext): Promise<GuardReport> {
    return this.#parts.locked(async () => {
      const logged = await this.#parts.log.writes()
      const undone: string[] = []
      const others: string[] = []
      const rejected: Record<string, Buffer> = {}
      for (const file of this.#parts.files) {
        const mended = mend(file, {
          before: snapshot[file.kind.file] ?? '',
          after: await this.#textAfter(file.path),
          logged: logged.filter((write) => write.file === file.kind.file),
          known: context.writes?.(file.path) ?? 'unknown',
          rule: this.#ruleFor(file, context),
        })
        others.push(...(mended?.others ?? []))
        await this.#restore(file.path, mended, undone, rejected)
      }
      const metadata = await this.#metadata(snapshot, context)
      await this.#restore(this.#parts.metadataPath, metadata, undone, rejected)
      const rejectedIn = await this.#keepRejected(rejected)
      await this.#close()
      return { undone, others, ...(rejectedIn && { rejectedIn }) }
    })
  }

  /** There was no run after all: whatever changed since the snapshot was changed by people. */
  release(): Promise<void> {
    return this.#parts.locked(() => this.#close())
  }

  async #close(): Promise<void> {
    await this.#parts.log.stop()
    await rm(this.#openPath, { force: true })
  }

  /** Undefined for whatever an agent left there that is no text: bytes, a folder, a file nobody may read. */
  async #textAfter(path: string): Promise<string | undefined> {
    try {
      return await readText(path)
    } catch {
      await this.#moveAside(path)
      return undefined
    }
  }

  /** A folder cannot be replaced by a file. */
  async #moveAside(path: string): Promise<void> {
    const folder = this.#newRejection()
    makeOwnFolder(folder)
    await renameFile(path, join(folder, basename(path)))
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #ruleFor(file: EntryFile<any>, { feature, task, review }: CheckContext): EntryRule {
    if (file.kind.file === FEATURES.file) {
      return featureRule(feature, adoptAsAgents(this.#parts.now().toISOString()))
    }
    return file.kind.file === TASKS.file ? taskRule({ task, review }) : disciplineRule
  }

  get #openPath(): string {
    return join(this.#parts.folder, 'unchecked')
  }

  get #snapshotPath(): string {
    return join(this.#parts.folder, 'snapshot.json')
  }

  /** Half a megabyte that rarely changes is not written again for every iteration; the marker says that it counts. */
  async #keep(texts: Snapshot): Promise<void> {
    makeOwnFolder(this.#parts.folder)
    const content = JSON.stringify(texts)
    if (content !== this.#kept) writeOwnFile(this.#snapshotPath, content)
    this.#kept = content
    writeOwnFile(this.#openPath, '')
  }

  async #metadata(snapshot: Snapshot, { writes }: CheckContext): Promise<Mended | undefined> {
    const path = this.#parts.metadataPath
    const before = snapshot[basename(path)] ?? ''
    const text = await this.#textAfter(path)
    if (text === before || (text !== '' && isOfOthers(writes?.(path)))) return undefined
    try {
      const was = checkMetadata(path, before)
      if (text !== undefined && checkMetadata(path, text).nextTaskId >= was.nextTaskId) return undefined
      return { text: before, undone: ['metadata.yaml would have given task ids twice: restored'], others: [] }
    } catch (error) {
      return { text: before, undone: [`metadata.yaml: ${messageOf(error)}: restored`], others: [] }
    }
  }

  async #restore(
    path: string,
    mended: Mended | undefined,
    undone: string[],
    rejected: Record<string, Buffer>,
  ): Promise<void> {
    if (mended?.text === undefined) return
    if (mended.undone.length > 0) {
      undone.push(...mended.undone)
      rejected[basename(path)] = await bytesOf(path)
    }
    await writeFileAtomically(path, mended.text)
  }

  #newRejection(): string {
    return join(this.#parts.folder, 'rejected', this.#parts.now().toISOString().replace(/[:.]/g, '-'))
  }

  async #keepRejected(rejected: Record<string, Buffer>): Promise<string | undefined> {
    if (Object.keys(rejected).length === 0) return undefined
    const folder = this.#newRejection()
    const all = dirname(folder)
    makeOwnFolder(folder)
    for (const [name, content] of Object.entries(rejected))
      writeOwnFile(join(folder, name), redact(content.toString('utf8')))
    const old = (await readdir(all)).sort().slice(0, -KEPT_REJECTIONS)
    for (const name of old) await rm(join(all, name), { recursive: true, force: true })
    return folder
  }
}

async function loadableMetadata(path: string): Promise<string> {
  const text = await readText(path)
  checkMetadata(path, text)
  return text ?? ''
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return readOwnFile(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0) // deleted: there is nothing to keep
    throw error
  }
}
