import { createHash } from 'node:crypto'
import { asArray, asNumber, asObject, asString, type JsonObject, objects, strings } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { apiError } from './api-error.ts'
import { messageParts, textOf, typedText } from './parts.ts'
import { RecordedCalls } from './recorded-calls.ts'
import { tokenUsage } from './tokens.ts'

const MESSAGE_TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning'])

/** The first line, a change of what it said, a message, or the end of a stretch that was taken back. */
export function isGeminiSessionLine(line: JsonObject): boolean {
  if (asObject(line['$set']) || asString(line['$rewindTo']) !== undefined) return true
  if (asString(line['projectHash']) !== undefined) return asString(line['sessionId']) !== undefined
  return (
    asString(line['id']) !== undefined &&
    asString(line['timestamp']) !== undefined &&
    MESSAGE_TYPES.has(asString(line['type']) ?? '') &&
    'content' in line
  )
}

/** The lines that the one document of an older version stands for. */
export function geminiDocumentLines(value: JsonObject): JsonObject[] | undefined {
  if (asString(value['projectHash']) === undefined || !Array.isArray(value['messages'])) return undefined
  const { messages, ...head } = value
  return [head, ...objects(asArray(messages))]
}

/** Slash commands are for the program. */
const SLASH_COMMAND = /^\/[a-z][\w-]*(?:\s|$)/
/** Fewer tokens than this may be marks of the model's own that are no text. */
const MARKS = 8

/**
 * A log of changes, not of messages: a message comes again when it has more to tell, and a resumed session repeats them all.
 * Each thing is told when it is first seen.
 */
export class GeminiSessionDecoder implements LineDecoder {
  readonly #calls: RecordedCalls
  readonly #parentId: string | undefined
  readonly #seen = new Set<string>()
  readonly #said = new Set<string>()
  readonly #counted = new Set<string>()
  #subAgent = false
  #projectHash: string | undefined
  /** The last message told less than the model wrote: a call that was under way when the program was killed. */
  #untold = false

  /** `parentId`: of the session that started this one as its sub-agent. */
  constructor(limits: CollectLimits, parentId?: string) {
    this.#calls = new RecordedCalls(limits)
    this.#parentId = parentId
  }

  decode(line: JsonObject): DecodedLine {
    const set = asObject(line['$set'])
    if (set) return { known: true, ...this.#head(set), events: [...this.#facts(set), ...this.#repeated(set)] }
    if (asString(line['projectHash']) !== undefined) return this.#first(line)
    if (asString(line['id']) === undefined) return { known: true, events: [] }
    const events = this.#message(line)
    return {
      known: true,
      timestamp: latest(line),
      events,
      promptId: asString(line['id']),
      afterWait: line['type'] === 'user' && events.some(({ kind }) => kind === 'prompt'),
    }
  }

  end(): AgentEvent[] {
    if (!this.#untold) return []
    return [this.#calls.unknown(this.#subAgent)]
  }

  #first(line: JsonObject): DecodedLine {
    this.#subAgent = line['kind'] === 'subagent'
    this.#projectHash = asString(line['projectHash'])
    return {
      known: true,
      ...this.#head(line),
      timestamp: asString(line['startTime']),
      events: this.#facts(line),
    }
  }

  #head(fields: JsonObject): Pick<DecodedLine, 'sessionId'> {
    return { sessionId: asString(fields['sessionId']) }
  }

  #facts(fields: JsonObject): AgentEvent[] {
    const title = asString(fields['summary'])
    const cwd = this.#place(strings(fields['directories']))
    const parentId = 'projectHash' in fields ? this.#parentId : undefined
    if (title === undefined && cwd === undefined && parentId === undefined) return []
    return [{ kind: 'session', title, cwd, parentId, subAgent: this.#subAgent }]
  }

  /** What a resumed session begins with again; what it has that was not there before is the program's own summary. */
  #repeated(set: JsonObject): AgentEvent[] {
    const messages = objects(asArray(set['messages']))
    const isBeginning = this.#seen.size === 0
    return messages
      .filter((message) => isBeginning || this.#seen.has(keyOf(message)))
      .flatMap((message) => this.#message(message))
  }

  #message(message: JsonObject): AgentEvent[] {
    const key = keyOf(message)
    const isNew = !this.#seen.has(key)
    this.#seen.add(key)
    const parts = messageParts(message['content'])
    switch (message['type']) {
      case 'user':
        return isNew ? this.#typed(parts) : []
      case 'gemini':
        return this.#answer(message, key, textOf(parts))
      default:
        return isNew ? notice(asString(message['type']), textOf(parts)) : []
    }
  }

  #typed(parts: readonly JsonObject[]): AgentEvent[] {
    this.#untold = false
    const text = typedText(parts)
    const place = this.#place(workspaceFolders(textOf(parts)))
    const events: AgentEvent[] = place === undefined ? [] : [{ kind: 'session', cwd: place }]
    return text === '' || SLASH_COMMAND.test(text) ? events : [...events, { kind: 'prompt', text }]
  }

  #answer(message: JsonObject, key: string, text: string): AgentEvent[] {
    const events: AgentEvent[] = []
    const model = asString(message['model'])
    if (model) events.push({ kind: 'session', model, subAgent: this.#subAgent })
    const tokens = asObject(message['tokens'])
    if (tokens && !this.#counted.has(key)) {
      this.#counted.add(key)
      events.push({ kind: 'response', id: key, usage: usageOf(tokens), characters: () => text.length })
    }
    if (text.trim() && !this.#said.has(key)) {
      this.#said.add(key)
      events.push({ kind: 'text', text, subAgent: this.#subAgent })
    }
    const calls = objects(asArray(message['toolCalls']))
    // No token is shorter than a byte: more of them than that wrote something else as well.
    this.#untold = calls.length === 0 && (asNumber(tokens?.['output']) ?? 0) > Buffer.byteLength(text) + MARKS
    return [...events, ...calls.flatMap((call) => this.#calls.take(call, this.#subAgent))]
  }

  /** Of several folders, the project is the one by which its sessions are filed. */
  #place(folders: readonly string[]): string | undefined {
    return folders.find((folder) => sha256(folder) === this.#projectHash) ?? folders[0]
  }
}

/** Repeated, the answers of tools have the id of the message that called them. */
function keyOf(message: JsonObject): string {
  return `${asString(message['type'])} ${asString(message['id'])}`
}

function latest(message: JsonObject): string | undefined {
  const times = [message, ...objects(asArray(message['toolCalls']))].map(({ timestamp }) =>
    asString(timestamp),
  )
  return times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)
}

/** What the program says to the person in a conversation of theirs. */
function notice(type: string | undefined, text: string): AgentEvent[] {
  if (/^Request cancelled\b/i.test(text)) return [{ kind: 'interrupted' }]
  const failure = type === 'error' ? apiError(text) : undefined
  return failure ? [{ kind: 'api_failure', failure, subAgent: false }] : []
}

/** The program tells the model in its first message where it is. */
function workspaceFolders(text: string): string[] {
  if (!text.startsWith('<session_context>')) return []
  const listed = /Workspace Directories:\*\*\n((?: {2}- [^\n]+\n)+)/.exec(text)?.[1] ?? ''
  return [...listed.matchAll(/^ {2}- (.+)$/gm)].map(([, folder]) => folder!)
}

function usageOf(tokens: JsonObject) {
  return tokenUsage({
    input: asNumber(tokens['input']),
    output: asNumber(tokens['output']),
    cached: asNumber(tokens['cached']),
    total: asNumber(tokens['total']),
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
