import { type FileHandle, open } from 'node:fs/promises'
import { fileError, RalphError } from '../errors.ts'
import { chunksOf, fingerprintBefore, linesOf } from '../files/lines.ts'
import { type JsonObject, parseObject } from '../text/json.ts'
import { agentOf, READABLE } from './agent-format.ts'
import type { AgentName } from './agents.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from './exchange.ts'
import { unfolded } from './unfolded.ts'

export type { SessionFacts, TranscriptExchange }

type TakeExchange = (exchange: TranscriptExchange, facts: SessionFacts) => Promise<void>

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
  facts: SessionFacts
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
  const lines = await unfolded(path, agent)
  if (lines) return readUnfolded(lines, path, agent, take)
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path, 'cannot import')
  })
  try {
    const goesOn = since !== undefined && (await fingerprintBefore(file, since.offset)) === since.fingerprint
    return await readFrom(file, path, { from: goesOn ? since.offset : 0, agent, signal }, take)
  } catch (error) {
    throw fileError(error, path, 'cannot import')
  } finally {
    await file.close()
  }
}

async function readFrom(
  file: FileHandle,
  path: string,
  { from, agent, signal }: { from: number } & Pick<ReadExchangesOptions, 'agent' | 'signal'>,
  take: TakeExchange,
): Promise<ReadSession> {
  let reader: ExchangeReader | undefined
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
    reader ??= agentOf(line, agent)?.exchanges(path)
    for (const exchange of reader?.push(line, offset) ?? []) await take(exchange, reader!.facts)
    if (complete) end = next
  }
  if (!reader && from === 0 && lines > 0) throw noSession(path)
  const offset = reader?.openOffset ?? end
  for (const exchange of reader?.finish() ?? []) await take(exchange, reader!.facts)
  return {
    facts: reader?.facts ?? NO_FACTS,
    position: { offset, fingerprint: await fingerprintBefore(file, offset) },
    brokenLines,
    oversizedLines,
  }
}

const NO_FACTS: SessionFacts = {
  conversationId: '',
  parentId: undefined,
  title: undefined,
  cwd: undefined,
}

/** What is no file of lines is read whole each time: its own clock says whether it has changed. */
async function readUnfolded(
  lines: readonly JsonObject[],
  path: string,
  agent: AgentName | undefined,
  take: TakeExchange,
): Promise<ReadSession> {
  let reader: ExchangeReader | undefined
  for (const [offset, line] of lines.entries()) {
    reader ??= agentOf(line, agent)?.exchanges(path)
    for (const exchange of reader?.push(line, offset) ?? []) await take(exchange, reader!.facts)
  }
  if (!reader && lines.length > 0) throw noSession(path)
  for (const exchange of reader?.finish() ?? []) await take(exchange, reader!.facts)
  const position = { offset: 0, fingerprint: '' }
  return { facts: reader?.facts ?? NO_FACTS, position, brokenLines: 0, oversizedLines: 0 }
}

function noSession(path: string): RalphError {
  return new RalphError('invalid_input', `${path} is no session file of an agent that ralph can read`, {
    hint: `${READABLE} For the neutral form use --format jsonl.`,
  })
}
