import { type FileHandle, open } from 'node:fs/promises'
import { fileError, RalphError } from '../errors.ts'
import { chunksOf, fingerprintBefore, linesOf } from '../files/lines.ts'
import { type JsonObject, parseObject } from '../text/json.ts'
import { type AgentFormat, agentOf, READABLE } from './agent-format.ts'
import type { AgentName } from './agents.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from './exchange.ts'
import { isLoopSession } from './loop-session.ts'
import { unfolded } from './unfolded.ts'

export type { TranscriptExchange }

/** What is known of a session while it is read, and whose it is. */
export interface KnownSession extends SessionFacts {
  agent: AgentName
}

type TakeExchange = (exchange: TranscriptExchange, session: KnownSession) => Promise<void>

/** How far a file was read, and what stood before. */
export interface FilePosition {
  offset: number
  fingerprint: string
}

export interface ReadExchangesOptions {
  /** Whose it is; default: told from its lines. */
  agent?: AgentName | undefined
  /** Reading goes on there, if what was read then is still in the file; else it begins anew. */
  since?: FilePosition | undefined
  signal?: AbortSignal | undefined
}

export interface ReadSession {
  /** Undefined when there was nothing in it. */
  session: KnownSession | undefined
  /** Where to go on when the file has grown: the last exchange may still grow too, so it is read again. */
  position: FilePosition
  brokenLines: number
  oversizedLines: number
}

/**
 * Reads the exchanges of a session file, one at a time, in order; `take` gets each with what is known of its session by
 * then. Throws a RalphError if no line of the file is an agent's.
 */
export async function readExchanges(
  path: string,
  { agent, since, signal }: ReadExchangesOptions,
  take: TakeExchange,
): Promise<ReadSession> {
  const reading = new Reading(path, agent, take)
  const lines = await unfolded(path, agent)
  if (lines) return readUnfolded(lines, reading)
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path, 'cannot import')
  })
  try {
    const goesOn = since !== undefined && fingerprintBefore(file.fd, since.offset) === since.fingerprint
    return await readFrom(file, reading, { from: goesOn ? since.offset : 0, signal })
  } catch (error) {
    throw fileError(error, path, 'cannot import')
  } finally {
    await file.close()
  }
}

async function readFrom(
  file: FileHandle,
  reading: Reading,
  { from, signal }: { from: number; signal: AbortSignal | undefined },
): Promise<ReadSession> {
  let lines = 0
  let brokenLines = 0
  let oversizedLines = 0
  let end = from
  for await (const { text, offset, next, complete } of linesOf(chunksOf(file, from), { from, signal })) {
    if (text === undefined) oversizedLines++
    if (text === undefined || text.trim() === '') continue
    lines++
    const line = parseObject(text)
    if (!line) {
      // A last line without end is being written at this moment, or was when its writer was killed.
      if (complete) brokenLines++
      continue
    }
    await reading.push(line, offset)
    if (complete) end = next
  }
  if (from === 0 && lines > 0) reading.requireAgent()
  const offset = reading.openOffset ?? end
  await reading.finish()
  return {
    session: reading.session,
    position: { offset, fingerprint: fingerprintBefore(file.fd, offset) },
    brokenLines,
    oversizedLines,
  }
}

/** What is no file of lines is read whole each time: its own clock says whether it has changed. */
async function readUnfolded(lines: readonly JsonObject[], reading: Reading): Promise<ReadSession> {
  for (const [offset, line] of lines.entries()) await reading.push(line, offset)
  if (lines.length > 0) reading.requireAgent()
  await reading.finish()
  const position = { offset: 0, fingerprint: '' }
  return { session: reading.session, position, brokenLines: 0, oversizedLines: 0 }
}

/** One session under way: whose it is, is told by the first line that is an agent's. */
class Reading {
  readonly #path: string
  readonly #wanted: AgentName | undefined
  readonly #take: TakeExchange
  #format: AgentFormat | undefined
  #reader: ExchangeReader | undefined
  #worksForLoop: Promise<boolean> | undefined

  constructor(path: string, wanted: AgentName | undefined, take: TakeExchange) {
    this.#path = path
    this.#wanted = wanted
    this.#take = take
  }

  get session(): KnownSession | undefined {
    return this.#reader && { ...this.#reader.facts, agent: this.#format!.agent }
  }

  get openOffset(): number | undefined {
    return this.#reader?.openOffset
  }

  requireAgent(): void {
    if (this.#reader) return
    throw new RalphError(
      'invalid_input',
      `${this.#path} is no session file of an agent that ralph can read`,
      {
        hint: `${READABLE} For the neutral form use --format jsonl.`,
      },
    )
  }

  async push(line: JsonObject, offset: number): Promise<void> {
    this.#format ??= agentOf(line, this.#wanted)
    this.#reader ??= this.#format?.exchanges(this.#path)
    await this.#hand(this.#reader?.push(line, offset) ?? [])
  }

  async finish(): Promise<void> {
    await this.#hand(this.#reader?.finish() ?? [])
  }

  async #hand(exchanges: readonly TranscriptExchange[]): Promise<void> {
    for (const exchange of exchanges) {
      const session = this.session!
      const fromLoop = exchange.fromLoop || (await this.#isForLoop(session))
      await this.#take({ ...exchange, fromLoop }, session)
    }
  }

  /** A sub-agent works for whoever began the session that started it. */
  #isForLoop({ parentId }: SessionFacts): Promise<boolean> | false {
    if (parentId === undefined) return false
    this.#worksForLoop ??= this.#isLoopSession(parentId)
    return this.#worksForLoop
  }

  async #isLoopSession(parentId: string): Promise<boolean> {
    const parent = await this.#format!.parent?.(this.#path, parentId)
    return parent !== undefined && isLoopSession(parent, this.#format!)
  }
}
