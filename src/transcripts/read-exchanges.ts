import { type FileHandle, open } from 'node:fs/promises'
import { fileError, RalphError } from '../errors.ts'
import { chunksOf, fingerprintBefore, linesOf } from '../files/lines.ts'
import { parseObject } from '../text/json.ts'
import { agentOf, isLookAlike, READABLE } from './agent-format.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from './exchange.ts'

export type { SessionFacts, TranscriptExchange }

/** How far a file was read, and what stood before. */
export interface FilePosition {
  offset: number
  fingerprint: string
}

export interface ReadExchangesOptions {
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
  { since, signal }: ReadExchangesOptions,
  take: (exchange: TranscriptExchange, facts: SessionFacts) => Promise<void>,
): Promise<ReadSession> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path, 'cannot import')
  })
  try {
    const goesOn = since !== undefined && (await fingerprintBefore(file, since.offset)) === since.fingerprint
    return await readFrom(file, path, goesOn ? since.offset : 0, signal, take)
  } catch (error) {
    throw fileError(error, path, 'cannot import')
  } finally {
    await file.close()
  }
}

async function readFrom(
  file: FileHandle,
  path: string,
  from: number,
  signal: AbortSignal | undefined,
  take: (exchange: TranscriptExchange, facts: SessionFacts) => Promise<void>,
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
    if (isLookAlike(line)) break
    reader ??= agentOf(line)?.exchanges(path)
    for (const exchange of reader?.push(line, offset) ?? []) await take(exchange, reader!.facts)
    if (complete) end = next
  }
  if (!reader && from === 0 && lines > 0) throw noSession(path)
  const offset = reader?.openOffset ?? end
  for (const exchange of reader?.finish() ?? []) await take(exchange, reader!.facts)
  return {
    facts: reader?.facts ?? { conversationId: '', parentId: undefined, title: undefined, cwd: undefined },
    position: { offset, fingerprint: await fingerprintBefore(file, offset) },
    brokenLines,
    oversizedLines,
  }
}

function noSession(path: string): RalphError {
  return new RalphError('invalid_input', `${path} is no session file of an agent that ralph can read`, {
    hint: `${READABLE} For the neutral form use --format jsonl.`,
  })
}
