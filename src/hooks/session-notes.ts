import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CurrentFeature } from '../board/current-feature.ts'
import { errnoOf } from '../errors.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile, requireOwnFolder, writeOwnFile } from '../files/own-files.ts'
import { redact } from '../text/redact.ts'
import { redactValue, withoutSecretIn } from '../text/redact-value.ts'
import type { AgentName } from '../transcripts/agents.ts'
import { isAlive, type SessionProcess } from './session-process.ts'

/** What the background needs to record a session whose end nobody saw. */
export interface PendingSession {
  sessionId: string
  /** Whose it is; default: told by its content. */
  agent?: AgentName | undefined
  /** A file, or the address of a session in a database. */
  transcript: string
  cwd: string
  /** The project that lay there while it ran: it is recorded into no other. */
  projectId?: string | undefined
  /** Where it belonged while it ran: the branch may be another by the time it is recorded. */
  feature?: CurrentFeature | undefined
  /** In milliseconds; absent while it runs, as far as anybody said. */
  endedAt?: number | undefined
  /** Unknown where one cannot look. */
  process?: SessionProcess | undefined
}

/** Bytes of a session's transcript that are recorded together. */
export interface SessionPart {
  from: number
  to: number
  /** Where it goes, once that has been found out: asked again later, the answer might be another. */
  feature?: string | undefined
}

/** All a session may be given by hooks, however long it lasts. */
export const SESSION_BUDGET_TOKENS = 4_000
const KEPT_DAYS = 14
const MAIN = 'shown'
/** A session is held up once, whatever it repeats. */
export const COMMAND_STOPPED = 'a command was stopped'

/**
 * What one session has been told and has touched: small files that several hooks may write at the same time, each of
 * them a process of its own.
 */
export class SessionNotes {
  readonly #folder: string
  /** Where it is noted what was told: a sub-agent reads nothing of what its session was told, nor the other way round. */
  readonly #told: string

  constructor(sessionsDir: string, sessionId: string, subAgent?: string) {
    this.#folder = join(sessionsDir, safeName(sessionId))
    this.#told = subAgent === undefined ? MAIN : `${MAIN}-${safeName(subAgent)}`
  }

  /** True for the first who asks for `key` in this session, and only as long as the session's budget lasts. */
  mayShow(key: string, tokens: number): boolean {
    if (tokens > 0 && this.spent() + tokens > SESSION_BUDGET_TOKENS) return false
    try {
      inFolder(this.#shownPath(key), (path) => writeOwnFile(path, redact(key), { access: 'create' }))
    } catch {
      return false // somebody was first
    }
    if (tokens > 0) this.#append('spent', String(tokens))
    return true
  }

  isShown(key: string): boolean {
    return existsSync(this.#shownPath(key))
  }

  /** What has been told. */
  shownKeys(): string[] {
    const folder = join(this.#folder, this.#told)
    return readNames(folder).map((name) => readOwnFile(join(folder, name)).toString('utf8'))
  }

  spent(): number {
    return this.#lines('spent').reduce((sum, line) => sum + (Number(line) || 0), 0)
  }

  /** The conversation so far was summarised away: what was told before may be told again. What was done is not undone. */
  forgetTold(): void {
    for (const key of this.shownKeys())
      if (key !== COMMAND_STOPPED) rmSync(this.#shownPath(key), { force: true })
  }

  /** Takes away what it says of the session's work; that it is recorded stays noted, or it would be recorded again. */
  forgetContent(): void {
    for (const name of readNames(this.#folder))
      if (name.startsWith(MAIN) || ['touched', 'commands'].includes(name))
        rmSync(join(this.#folder, name), { recursive: true, force: true })
  }

  touch(path: string): void {
    const shown = redact(path)
    if (!this.touched().includes(shown)) this.#append('touched', shown)
  }

  /** Project-relative paths. */
  touched(): string[] {
    return this.#lines('touched')
  }

  /** What became of the session's own commands, oldest first; see `LiveCommands`. */
  commandLines(): string[] {
    return this.#lines('commands')
  }

  addCommandLine(line: string): void {
    this.#append('commands', line)
  }

  setPending(pending: PendingSession): void {
    const { transcript, ...rest } = pending
    // Where the transcript lies must stay true, or the session is lost.
    const safe = { ...redactValue(rest), transcript }
    writeDisposableFile(join(this.#folder, 'pending.json'), JSON.stringify(safe))
  }

  pending(): PendingSession | undefined {
    try {
      return JSON.parse(this.#read('pending.json'))
    } catch {
      return undefined // none yet, or a power cut took it
    }
  }

  /** Kept apart from what hooks write, so that neither undoes the other. */
  setRecordedBytes(bytes: number): void {
    writeDisposableFile(join(this.#folder, 'recorded'), String(bytes))
  }

  /** How much of the transcript is recorded already. */
  recordedBytes(): number {
    return Number(this.#read('recorded')) || 0
  }

  /** Before it is recorded, so that whoever has to do it again does the same. */
  beginPart(part: SessionPart): void {
    writeDisposableFile(join(this.#folder, 'recording.json'), JSON.stringify(part))
  }

  /** What was begun and has not come to its end. */
  begunPart(): SessionPart | undefined {
    try {
      const part: SessionPart = JSON.parse(this.#read('recording.json'))
      return part.from === this.recordedBytes() && part.to > part.from ? part : undefined
    } catch {
      return undefined // none yet, or a power cut took it
    }
  }

  /** True while something of the transcript is not recorded. Of what is no file, only a look into it tells. */
  hasUnrecorded(pending = this.pending()): boolean {
    const file = pending && statSync(pending.transcript, { throwIfNoEntry: false })
    return file !== undefined && file.size > this.recordedBytes()
  }

  /** True while the session's process is known to run. */
  get isRunning(): boolean {
    const process = this.pending()?.process
    return process !== undefined && isAlive(process)
  }

  get lockFile(): string {
    return join(this.#folder, 'record.lock')
  }

  #shownPath(key: string): string {
    return join(this.#folder, key === COMMAND_STOPPED ? MAIN : this.#told, hash(key))
  }

  #append(name: string, line: string): void {
    inFolder(join(this.#folder, name), (path) => writeOwnFile(path, `${line}\n`, { access: 'append' }))
  }

  #lines(name: string): string[] {
    return this.#read(name).split('\n').filter(Boolean)
  }

  #read(name: string): string {
    try {
      return readOwnFile(join(this.#folder, name)).toString('utf8')
    } catch {
      return '' // nothing noted yet
    }
  }
}

/** Sessions there are notes of, those last touched first. */
export function notedSessions(
  sessionsDir: string,
): { notes: SessionNotes; name: string; touchedMs: number }[] {
  return readNames(sessionsDir)
    .map((name) => ({
      name,
      notes: new SessionNotes(sessionsDir, name),
      touchedMs: statSync(join(sessionsDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.touchedMs - a.touchedMs)
}

export function removeOldSessions(sessionsDir: string, now = Date.now()): void {
  requireOwnFolder(sessionsDir)
  for (const { name, notes, touchedMs } of notedSessions(sessionsDir)) {
    if (now - touchedMs > KEPT_DAYS * 86_400_000 && !notes.hasUnrecorded())
      rmSync(join(sessionsDir, name), { recursive: true, force: true })
  }
}

/** The folder is there but for the first time. */
function inFolder(path: string, write: (path: string) => void): void {
  try {
    write(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    makeOwnFolder(dirname(path))
    write(path)
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // no session yet
  }
}

/** Session ids are UUIDs; anything else must not become a path. */
function safeName(sessionId: string): string {
  const safe = withoutSecretIn(sessionId)
  return /^[\w-]{1,64}$/.test(safe) ? safe : hash(sessionId)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
