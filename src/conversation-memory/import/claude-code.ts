import { isRalphError, messageOf, RalphError, throwIfAborted } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import type { SourceRow } from '../../storage/tables.ts'
import type { History } from '../history.ts'
import type { Intake } from '../intake.ts'
import { FileReading } from './file-reading.ts'
import { LineFile } from './lines.ts'
import { type ImportReport, type OnProgress, Skips } from './report.ts'
import type { SessionExchange } from './session-exchanges.ts'
import { findSessionFiles, type SessionFile } from './session-files.ts'
import { asObject, type JsonObject, type SessionLineReader } from './session-line.ts'

export interface ClaudeCodeImportOptions {
  storage: Storage
  history: History
  intake: Intake
  reader: SessionLineReader
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/** Reads Claude Code's own session files, only what is new in them, one file at a time. */
export async function importClaudeCode(
  path: string,
  options: ClaudeCodeImportOptions,
): Promise<ImportReport> {
  const files = await findSessionFiles(path, options.signal)
  if (files.length === 0) {
    throw new RalphError('not_found', `no session files (*.jsonl) in ${path}`, {
      hint: 'Claude Code keeps them in ~/.claude/projects. Give another folder or a single file.',
    })
  }
  const run = new Run(files.length, options)
  try {
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      const group = files.slice(at, at + FILES_AT_ONCE)
      const known = await run.sources(group)
      for (const file of group) {
        throwIfAborted(options.signal)
        await run.file(file, known.get(file.path))
        options.onProgress?.(run.report())
      }
    }
  } catch (error) {
    // What has been read until it was stopped need not be read again.
    if (isRalphError(error) && error.code === 'cancelled') await run.finishFiles()
    throw error
  }
  await run.finishFiles()
  if (files.length === 1 && run.failure) throw run.failure
  return run.report()
}

/** Asked about together: most files have not changed since the last import. */
const FILES_AT_ONCE = 500

/** What was learned from reading a file, to be kept once its exchanges are safely stored. */
interface ReadFile {
  row: SourceRow
  title: string | undefined
  conversationId: string
}

class Run {
  readonly #options: ClaudeCodeImportOptions
  readonly #files: ImportReport['files']
  readonly #skips = new Skips()
  readonly #conversations = new Set<string>()
  #unsaved: ReadFile[] = []
  #found = 0
  /** Why the only file could not be read. */
  failure: RalphError | undefined

  constructor(found: number, options: ClaudeCodeImportOptions) {
    this.#options = options
    this.#files = { found, read: 0, unchanged: 0, failed: 0 }
  }

  report(): ImportReport {
    const { added, updated, unchanged, elsewhere, secrets } = this.#options.intake.counts
    const skipped = [
      ...this.#skips.list(),
      ...(elsewhere ? [{ why: 'already imported from another session', count: elsewhere }] : []),
    ]
    return {
      files: { ...this.#files },
      exchanges: { found: this.#found, added, updated, unchanged, skipped: elsewhere },
      conversations: this.#conversations.size,
      secretsMasked: secrets,
      skipped,
    }
  }

  async file(file: SessionFile, known: SourceRow | undefined): Promise<void> {
    const same = known?.identity === file.identity
    if (same && known.size === file.size && known.modified_at === file.modifiedAt) {
      this.#files.unchanged++
      return
    }
    try {
      await this.#open(file, same ? known : undefined)
      this.#files.read++
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.#files.failed++
      this.#skips.add(error.message.replace(file.path, 'a file'), file.path)
      this.failure = error
    }
    // What has been flushed is durable; the note of how far we came may follow at any later time.
    if (this.#unsaved.length >= FILES_AT_ONCE) await this.finishFiles()
  }

  /** Goes on where the last import ended, if what was read then is still there. */
  async #open(file: SessionFile, known: SourceRow | undefined): Promise<void> {
    const lines = await LineFile.open(file.path)
    try {
      const goesOn =
        known !== undefined &&
        file.size >= known.byte_offset &&
        (await lines.fingerprint(known.byte_offset)) === known.fingerprint
      await this.#read(file, lines, goesOn ? known.byte_offset : 0)
    } finally {
      await lines.close()
    }
  }

  async #read(file: SessionFile, source: LineFile, from: number): Promise<void> {
    const reading = new FileReading(file.path, this.#options.reader)
    let broken = 0
    let lines = 0
    let end = from
    const onOversized = () => this.#skips.add('a line is too long', file.path)
    const { signal } = this.#options
    for await (const { text, offset, next, complete } of source.lines({ from, onOversized, signal })) {
      if (text.trim() === '') continue
      lines++
      const line = parse(text)
      if (!line) {
        // A last line without end is being written at this moment, or was when its writer was killed.
        if (complete) broken++
        continue
      }
      for (const exchange of reading.push(line, offset)) await this.#add(exchange, reading)
      if (complete) end = next
    }
    if (broken > 0) this.#skips.add('a line is not JSON', file.path)
    if (from === 0 && lines > 0 && !reading.recognised) {
      throw new RalphError('invalid_input', `${file.path} is no session file of Claude Code`, {
        hint: 'For the neutral form use --format jsonl.',
      })
    }
    // The last exchange may still grow: it is stored as it is, and read again from its beginning when the file has.
    const resumeAt = reading.openOffset ?? end
    for (const exchange of reading.finish()) await this.#add(exchange, reading)
    this.#unsaved.push({
      conversationId: reading.conversationId,
      title: reading.title,
      row: {
        path: file.path,
        identity: file.identity,
        size: file.size,
        modified_at: file.modifiedAt,
        byte_offset: resumeAt,
        fingerprint: await source.fingerprint(resumeAt),
      },
    })
  }

  async #add({ offset: _, ...exchange }: SessionExchange, reading: FileReading): Promise<void> {
    this.#found++
    this.#conversations.add(exchange.conversationId)
    const { title, cwd, parentId } = reading
    const own = exchange.conversationId === reading.conversationId
    await this.#options.intake.add(exchange, {
      source: 'claude-code',
      ...(own && title && { title }),
      ...(cwd && { project: cwd }),
      ...(own && parentId && { parentId }),
    })
  }

  /** Notes how far each file was read, after its exchanges are durable. */
  async finishFiles(): Promise<void> {
    await this.#options.intake.flush()
    const files = this.#unsaved
    this.#unsaved = []
    if (files.length === 0) return
    await this.#options.storage.db
      .insertInto('conversation_sources')
      .values(files.map(({ row }) => row))
      .onConflict((conflict) =>
        conflict.column('path').doUpdateSet((set) => ({
          identity: set.ref('excluded.identity'),
          size: set.ref('excluded.size'),
          modified_at: set.ref('excluded.modified_at'),
          byte_offset: set.ref('excluded.byte_offset'),
          fingerprint: set.ref('excluded.fingerprint'),
        })),
      )
      .execute()
    // A title is often written after the exchanges it stands for.
    const titled = new Map(
      files.flatMap(({ title, conversationId }) => (title ? [[conversationId, title]] : [])),
    )
    for (const conversation of (await this.#options.history.conversations([...titled.keys()])).values()) {
      const title = titled.get(conversation.id)!
      if (conversation.title !== title) await this.#options.history.rename(conversation.id, title)
    }
  }

  /** What is known of files from earlier imports. */
  async sources(files: readonly SessionFile[]): Promise<Map<string, SourceRow>> {
    const rows = await this.#options.storage.db
      .selectFrom('conversation_sources')
      .selectAll()
      .where(
        'path',
        'in',
        files.map(({ path }) => path),
      )
      .execute()
    return new Map(rows.map((row) => [row.path, row]))
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw new RalphError('internal', messageOf(error), { cause: error })
  }
}
