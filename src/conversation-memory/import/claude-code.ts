import { isRalphError, RalphError, throwIfAborted } from '../../errors.ts'
import type { Storage } from '../../storage/storage.ts'
import type { SourceRow } from '../../storage/tables.ts'
import { redact } from '../../text/redact.ts'
import { sanitise } from '../../text/sanitise.ts'
import { isLoopSession, parentFile } from '../../transcripts/claude-code/loop-session.ts'
import {
  findProjectSessions,
  findSessionFiles,
  type SessionFile,
} from '../../transcripts/claude-code/session-files.ts'
import {
  readExchanges,
  type SessionFacts,
  type TranscriptExchange,
} from '../../transcripts/read-exchanges.ts'
import type { History } from '../history.ts'
import type { Intake } from '../intake.ts'
import { hashedId, type NewExchange } from '../record.ts'
import { type ImportReport, type OnProgress, Skips } from './report.ts'

export interface ClaudeCodeImportOptions {
  storage: Storage
  history: History
  intake: Intake
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
  /** Only the sessions that took place in this project. */
  project?: string | undefined
}

/** Reads Claude Code's own session files, only what is new in them, one file at a time. */
export async function importClaudeCode(
  path: string,
  options: ClaudeCodeImportOptions,
): Promise<ImportReport> {
  const { project, signal } = options
  const files =
    project === undefined
      ? await findSessionFiles(path, signal)
      : await findProjectSessions(path, project, signal)
  if (files.length === 0) {
    throw new RalphError(
      'not_found',
      `no session files (*.jsonl)${project === undefined ? '' : ` of ${project}`} in ${path}`,
      {
        hint: 'Claude Code keeps them in ~/.claude/projects, or in projects/ of CLAUDE_CONFIG_DIR. Give another folder or a single file.',
      },
    )
  }
  const run = new Run(files.length, options)
  try {
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      const group = files.slice(at, at + FILES_AT_ONCE)
      const known = await readBefore(options.storage, group)
      for (const file of group) {
        throwIfAborted(signal)
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
  /** By the id of a session that started sub-agents. */
  readonly #loopSessions = new Map<string, Promise<boolean>>()
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
    if (isRead(file, known)) {
      this.#files.unchanged++
      return
    }
    try {
      await this.#read(file, same ? known : undefined)
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
  async #read(file: SessionFile, known: SourceRow | undefined): Promise<void> {
    const { path, identity, size, modifiedAt } = file
    const since = known && { offset: known.byte_offset, fingerprint: known.fingerprint }
    const { signal } = this.#options
    const read = await readExchanges(path, { since, signal }, (exchange, facts) =>
      this.#add(exchange, facts, path),
    )
    if (read.brokenLines > 0) this.#skips.add('a line is not JSON', path)
    for (let line = 0; line < read.oversizedLines; line++) this.#skips.add('a line is too long', path)
    const { offset: byte_offset, fingerprint } = read.position
    this.#unsaved.push({
      conversationId: read.facts.conversationId,
      title: read.facts.title,
      row: { path, identity, size, modified_at: modifiedAt, byte_offset, fingerprint },
    })
  }

  async #add(exchange: TranscriptExchange, facts: SessionFacts, path: string): Promise<void> {
    if (exchange.fromLoop || (await this.#worksForLoop(facts, path))) {
      this.#skips.add('a run of the loop, which feature memory has', path)
      return
    }
    this.#found++
    this.#conversations.add(exchange.conversationId)
    const { title, cwd, parentId } = facts
    const own = exchange.conversationId === facts.conversationId
    await this.#options.intake.add(toNewExchange(exchange), {
      source: 'claude-code',
      ...(own && title && { title }),
      ...(cwd && { project: cwd }),
      ...(own && parentId && { parentId }),
    })
  }

  #worksForLoop({ parentId }: SessionFacts, path: string): Promise<boolean> | false {
    if (parentId === undefined) return false
    const known = this.#loopSessions.get(parentId) ?? isLoopSession(parentFile(path, parentId))
    this.#loopSessions.set(parentId, known)
    return known
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
      files.flatMap(({ title, conversationId }) =>
        title ? [[conversationId, sanitise(redact(title))]] : [],
      ),
    )
    for (const conversation of (await this.#options.history.conversations([...titled.keys()])).values()) {
      const title = titled.get(conversation.id)!
      if (conversation.title !== title) await this.#options.history.rename(conversation.id, title)
    }
  }
}

/** Those of the files that an import would read: new ones, and those that were written to since. */
export async function unreadFiles(storage: Storage, files: readonly SessionFile[]): Promise<SessionFile[]> {
  const unread: SessionFile[] = []
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const group = files.slice(at, at + FILES_AT_ONCE)
    const known = await readBefore(storage, group)
    unread.push(...group.filter((file) => !isRead(file, known.get(file.path))))
  }
  return unread
}

function isRead({ identity, size, modifiedAt }: SessionFile, known: SourceRow | undefined): boolean {
  return known?.identity === identity && known.size === size && known.modified_at === modifiedAt
}

/** What is known of files from earlier imports. */
async function readBefore({ db }: Storage, files: readonly SessionFile[]): Promise<Map<string, SourceRow>> {
  const paths = files.map(({ path }) => path)
  const rows = await db.selectFrom('conversation_sources').selectAll().where('path', 'in', paths).execute()
  return new Map(rows.map((row) => [row.path, row]))
}

function toNewExchange(exchange: TranscriptExchange): NewExchange {
  const { conversationId, promptId, prompt, answer, interrupted, startedAt, endedAt, offset } = exchange
  return {
    conversationId,
    id: promptId ? hashedId('claude-code', promptId) : hashedId(conversationId, offset, prompt),
    uniqueId: true,
    userMessage: prompt,
    assistantMessage: answer,
    status: interrupted ? 'interrupted' : 'completed',
    messages: exchange.steps,
    ...(startedAt && { startedAt }),
    ...(endedAt && { completedAt: endedAt }),
  }
}
