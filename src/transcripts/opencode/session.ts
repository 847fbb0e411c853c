import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { failureEvents } from './failures.ts'
import { PartReader } from './parts.ts'
import { unquoted } from './prompt.ts'
import { momentOf, timestampOf } from './times.ts'

/**
 * The lines that a stored session is read as, wherever it lies: one about the session, then one for each message with its
 * parts, in the form of `opencode export`. Messages of helpers that the session started stand between its own.
 */
export type SessionLine =
  | { opencode: 'session'; info: JsonObject }
  | { opencode: 'message'; info: JsonObject; parts: JsonObject[]; helper?: boolean }

export function isStoredLine(line: JsonObject): boolean {
  return (
    (line['opencode'] === 'session' || line['opencode'] === 'message') && asObject(line['info']) !== undefined
  )
}

/** The lines of a document that `opencode export` printed. */
export function exportedLines(document: JsonObject): JsonObject[] | undefined {
  const info = asObject(document['info'])
  if (!asString(info?.['id'])?.startsWith('ses_') || !Array.isArray(document['messages'])) return undefined
  const messages = objects(document['messages']).map((message) =>
    messageLine(message['info'], message['parts']),
  )
  return [{ opencode: 'session', info: info! } satisfies SessionLine, ...messages]
}

export function messageLine(info: unknown, parts: unknown, helper = false): SessionLine {
  return {
    opencode: 'message',
    info: asObject(info) ?? {},
    parts: objects(asArray(parts)),
    ...(helper && { helper }),
  }
}

/** By the time at which each message was begun; those of one session stay in their order. */
export function byTime(lines: readonly SessionLine[]): SessionLine[] {
  return lines.toSorted((a, b) => (momentOf(a.info, 'created') ?? 0) - (momentOf(b.info, 'created') ?? 0))
}

export class StoredSessionDecoder implements LineDecoder {
  readonly #parts: PartReader
  readonly #helpers: boolean

  /** `helpers`: whether what they did belongs to it. */
  constructor(limits: CollectLimits, { helpers = true }: { helpers?: boolean } = {}) {
    this.#parts = new PartReader(limits)
    this.#helpers = helpers
  }

  decode(line: JsonObject): DecodedLine {
    const info = asObject(line['info']) ?? {}
    if (line['opencode'] === 'session') return decodeSession(info)
    const helper = line['helper'] === true
    if (helper && !this.#helpers) return { known: true, events: [] }
    const parts = objects(asArray(line['parts']))
    if (info['role'] === 'user') return helper ? { known: true, events: [] } : decodePrompt(info, parts)
    if (info['role'] === 'assistant') return this.#answer(info, parts, helper)
    return { known: false, events: [] }
  }

  #answer(info: JsonObject, parts: readonly JsonObject[], helper: boolean): DecodedLine {
    const events: AgentEvent[] = [
      { kind: 'session', model: asString(info['modelID']), cwd: placeOf(info), subAgent: helper },
    ]
    // Made for the model, which has to read on from there.
    const isSummary = info['summary'] === true || info['mode'] === 'compaction'
    for (const part of parts)
      if (!isSummary || part['type'] !== 'text') events.push(...this.#parts.events(part, helper))
    if (!parts.some((part) => part['type'] === 'step-finish') && asObject(info['tokens']))
      events.push(this.#parts.used(info))
    if (!helper && !isSummary) events.push(...this.#end(info))
    return {
      known: true,
      events,
      timestamp: timestampOf(momentOf(info, 'completed') ?? lastMoment(parts) ?? momentOf(info, 'created')),
      ...(!helper && { sessionId: asString(info['sessionID']) }),
    }
  }

  #end(info: JsonObject): AgentEvent[] {
    const error = asObject(info['error'])
    if (error) return failureEvents(error)
    // Killed in the middle of the answer, or not over yet.
    if (momentOf(info, 'completed') === undefined) return [{ kind: 'retry', rateLimited: false }]
    const finish = asString(info['finish'])
    return finish === undefined ? [] : this.#parts.ended(finish)
  }
}

function decodeSession(info: JsonObject): DecodedLine {
  const model = asObject(info['model'])
  return {
    known: true,
    sessionId: asString(info['id']),
    events: [
      {
        kind: 'session',
        cwd: asString(info['directory']),
        title: asString(info['title']),
        version: asString(info['version']),
        model: asString(model?.['id']) ?? asString(model?.['modelID']),
        parentId: asString(info['parentID']),
      },
    ],
  }
}

function decodePrompt(info: JsonObject, parts: readonly JsonObject[]): DecodedLine {
  const said = parts
    .filter((part) => part['type'] === 'text' && part['synthetic'] !== true && part['ignored'] !== true)
    .map((part) => asString(part['text']) ?? '')
    .join('\n')
  const prompt = unquoted(said)
  return {
    known: true,
    timestamp: timestampOf(momentOf(info, 'created')),
    sessionId: asString(info['sessionID']),
    promptId: asString(info['id']),
    afterWait: prompt.trim() !== '',
    events: prompt.trim() === '' ? [] : [{ kind: 'prompt', text: prompt }],
  }
}

function placeOf(info: JsonObject): string | undefined {
  return asString(asObject(info['path'])?.['cwd'])
}

/** What is known of the time of an answer that never came to its end. */
function lastMoment(parts: readonly JsonObject[]): number | undefined {
  const moments = parts.map(
    (part) =>
      momentOf(part['state'], 'end', 'start') ??
      momentOf(part, 'end', 'start') ??
      asNumber(part['time_created']),
  )
  const known = moments.filter((moment) => moment !== undefined)
  return known.length > 0 ? known.reduce((latest, moment) => Math.max(latest, moment)) : undefined
}
