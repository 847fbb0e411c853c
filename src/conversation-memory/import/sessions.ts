import { isRalphError, RalphError, throwIfAborted } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import type { SourceRow } from '../../storage/tables.ts'
import { redact } from '../../text/redact.ts'
import { sanitise } from '../../text/sanitise.ts'
import { type AgentName, agentLabel } from '../../transcripts/agents.ts'
import {
  type FoundSession,
  type FoundSessions,
  keptSessions,
  namedSessions,
  type SessionPlaces,
} from '../../transcripts/kept-sessions.ts'
import {
  type KnownSession,
  readExchanges,
  type TranscriptExchange,
} from '../../transcripts/read-exchanges.ts'
import type { History } from '../history.ts'
import type { Intake } from '../intake.ts'
import { hashedId, type NewExchange } from '../record.ts'
import { FILES_AT_ONCE, isRead, noteRead, readBefore } from './read-before.ts'
import { type ImportReport, Skips, type WatchedImport } from './report.ts'

/** Which sessions, where not all. */
export interface SessionImportRequest extends WatchedImport {
  /** Only this agent's; default: every agent's, told by the content. */
  agent?: AgentName | undefined
  /** Only what took place in this folder or below it. */
  project?: string | undefined
}

export interface SessionImportOptions extends SessionImportRequest {
  storage: Storage
  person: Person
  history: History
  intake: Intake
  /** Where the agents keep their own. */
  places: SessionPlaces
  /** A file or a folder; default: wherever the agents keep their own. */
  path: string | undefined
}

/** Reads sessions that agents' programs have kept, only what is new in them, one at a time. */
export async function importSessions(options: SessionImportOptions): Promise<ImportReport> {
  const { signal } = options
  const { sessions, failures } = await find(options)
  if (sessions.length === 0) throw failures[0]?.error ?? noSessions(options)
  const run = new Run(sessions.length, options)
  for (const { agent, error } of failures) run.couldNotLook(agent, error)
  try {
    for (let at = 0; at < sessions.length; at += FILES_AT_ONCE) {
      const group = sessions.slice(at, at + FILES_AT_ONCE)
      const known = await readBefore(options.storage, options.person, group)
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
  if (sessions.length === 1 && run.failure) throw run.failure
  return run.report()
}

async function find({ path, places, agent, project, signal }: SessionImportOptions): Promise<FoundSessions> {
  const search = { agent, project, signal }
  if (path === undefined) return keptSessions(places, search)
  return { sessions: await namedSessions(path, search), failures: [] }
}

function noSessions({ path, places, agent, project }: SessionImportOptions): RalphError {
  const of = project === undefined ? '' : ` of ${project}`
  const name = agent && agentLabel(agent)
  if (path !== undefined)
    return new RalphError('not_found', `no sessions${name ? ` of ${name}` : ''}${of} in ${path}`, {
      hint: 'Give another folder or a single file; without one, the folders are searched in which agents keep their own.',
    })
  const who = name ? `${name} has kept no sessions` : 'no agent has kept sessions'
  const looked = agent ? `Looked in ${places[agent]}. ` : ''
  return new RalphError('not_found', `${who}${of} that could be imported`, {
    hint: `${looked}Name the folder or the file that has some: ralph conversations import PATH`,
  })
}

/** What was learned from reading a file, to be kept once its exchanges are safely stored. */
interface ReadFile {
  row: SourceRow
  session: KnownSession | undefined
}

class Run {
  readonly #options: SessionImportOptions
  readonly #files: ImportReport['files']
  readonly #skips = new Skips()
  readonly #conversations = new Set<string>()
  readonly #agents = new Set<AgentName>()
  #unsaved: ReadFile[] = []
  #found = 0
  /** Why the only file could not be read. */
  failure: RalphError | undefined

  constructor(found: number, options: SessionImportOptions) {
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
      agents: [...this.#agents].sort(),
      exchanges: { found: this.#found, added, updated, unchanged, skipped: elsewhere },
      conversations: this.#conversations.size,
      secretsMasked: secrets,
      skipped,
    }
  }

  couldNotLook(agent: AgentName, { message }: RalphError): void {
    this.#skips.add(`the sessions of ${agentLabel(agent)} could not be looked at: ${message}`)
  }

  async file(file: FoundSession, known: SourceRow | undefined): Promise<void> {
    if (isRead(file, known)) {
      this.#files.unchanged++
      return
    }
    try {
      await this.#read(file, known?.identity === file.identity ? known : undefined)
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
  async #read(file: FoundSession, known: SourceRow | undefined): Promise<void> {
    const { path, agent, identity, size, modifiedAt } = file
    const since = known && { offset: known.byte_offset, fingerprint: known.fingerprint }
    const { signal } = this.#options
    const read = await readExchanges(path, { agent, since, signal }, (exchange, session) =>
      this.#add(exchange, session, path),
    )
    if (read.brokenLines > 0) this.#skips.add('a line is not JSON', path)
    for (let line = 0; line < read.oversizedLines; line++) this.#skips.add('a line is too long', path)
    const { offset: byte_offset, fingerprint } = read.position
    this.#unsaved.push({
      session: read.session,
      row: {
        person: this.#options.person.id,
        path,
        identity,
        size,
        modified_at: modifiedAt,
        byte_offset,
        fingerprint,
      },
    })
  }

  async #add(exchange: TranscriptExchange, session: KnownSession, path: string): Promise<void> {
    if (exchange.fromLoop) {
      this.#skips.add('a run of the loop, which feature memory has', path)
      return
    }
    this.#found++
    this.#conversations.add(exchange.conversationId)
    const { agent, title, cwd, parentId } = session
    this.#agents.add(agent)
    const own = exchange.conversationId === session.conversationId
    await this.#options.intake.add(toNewExchange(exchange, agent), {
      source: agent,
      ...(own && title && { title }),
      ...(cwd && { project: cwd }),
      ...(own && parentId && { parentId }),
    })
  }

  /** Notes how far each file was read, after its exchanges are durable. */
  async finishFiles(): Promise<void> {
    const { intake, storage, history } = this.#options
    await intake.flush()
    const files = this.#unsaved
    this.#unsaved = []
    if (files.length === 0) return
    await noteRead(
      storage,
      files.map(({ row }) => row),
    )
    // A title is often written after the exchanges it stands for.
    const titled = new Map(
      files.flatMap(({ session }) =>
        session?.title ? [[session.conversationId, sanitise(redact(session.title))]] : [],
      ),
    )
    const own = await history.ownIds([...titled.keys()])
    const stored = await history.conversations([...own.values()])
    for (const [id, title] of titled) {
      const conversation = stored.get(own.get(id)!)
      if (conversation && conversation.title !== title) await history.rename(conversation.id, title)
    }
  }
}

function toNewExchange(exchange: TranscriptExchange, agent: AgentName): NewExchange {
  const { conversationId, promptId, prompt, answer, interrupted, startedAt, endedAt, offset } = exchange
  return {
    conversationId,
    id: promptId ? hashedId(agent, promptId) : hashedId(conversationId, offset, prompt),
    uniqueId: true,
    userMessage: prompt,
    assistantMessage: answer,
    status: interrupted ? 'interrupted' : 'completed',
    messages: exchange.steps,
    ...(startedAt && { startedAt }),
    ...(endedAt && { completedAt: endedAt }),
  }
}
