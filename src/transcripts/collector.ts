import { LineSplitter } from '../files/lines.ts'
import { asObject, type JsonObject } from '../text/json.ts'
import { type AgentFormat, agentOf, isLookAlike } from './agent-format.ts'
import type { AgentRun, LineCounts, Stop, TranscriptFormat } from './agent-run.ts'
import { endingOf } from './ending.ts'
import type { AgentEvent } from './events.ts'
import { COLLECT_LIMITS, type CollectLimits } from './limits.ts'
import { RunBuilder } from './run-builder.ts'

export interface CollectOptions {
  limits?: Partial<CollectLimits>
  /** Only what came after this moment by the agent's own clock, ISO 8601. */
  after?: string | undefined
  /** For whoever watches it run. */
  onEvent?: ((event: AgentEvent) => void) | undefined
}

/** How the agent's process ended, as Node tells it. */
export interface ProcessOutcome {
  exitCode?: number | null
  signal?: string | null
  /** We ended it. */
  stopped?: Stop | undefined
  /** By the clock of whoever started it; overrules what the agent's lines say. */
  durationMs?: number
}

/** Partial messages: many, and never needed, since complete ones follow. */
const PARTIAL_MESSAGE = '{"type":"stream_event"'

/**
 * Takes an agent's output while it runs, in chunks of any size (`push`) or line by line (`pushLine`), and gives the
 * run at the end. Nothing an agent may print makes it throw: what it cannot read it counts.
 */
export class Collector {
  readonly #limits: CollectLimits
  readonly #splitter: LineSplitter
  readonly #builder: RunBuilder
  readonly #counts: LineCounts = { total: 0, unknown: 0, broken: 0, oversized: 0 }
  readonly #seen: Record<TranscriptFormat, number> = { 'stream-json': 0, session: 0 }
  #agent: AgentFormat | undefined
  #lookAlike = false
  /** While set, lines are passed over: they belong to an earlier stretch. */
  passing = false
  readonly #after: number | undefined
  readonly #onEvent: CollectOptions['onEvent']
  #half = ''

  constructor({ limits = {}, after, onEvent }: CollectOptions = {}) {
    this.#onEvent = onEvent
    this.#after = after === undefined ? undefined : Date.parse(after)
    this.passing = after !== undefined
    this.#limits = { ...COLLECT_LIMITS, ...limits }
    this.#splitter = new LineSplitter((bytes, { complete }) => this.#bytes(bytes, complete), {
      longest: this.#limits.line,
    })
    this.#builder = new RunBuilder(this.#limits)
  }

  push(chunk: Uint8Array | string): void {
    this.#splitter.push(typeof chunk === 'string' ? Buffer.from(this.#wholeCharacters(chunk)) : chunk)
  }

  /** A complete line, with or without its line feed. */
  pushLine(line: string): void {
    this.push(line.endsWith('\n') ? line : `${line}\n`)
  }

  /** The end of the input, or of one of several files: what comes next begins a new line. */
  endInput(): void {
    this.#splitter.end()
  }

  finish(process: ProcessOutcome = {}): AgentRun {
    this.endInput()
    const { facts, end } = this.#builder.build()
    const format = this.#mostSeen()
    return {
      ...facts,
      agent: format && this.#agent?.agent,
      durationMs: process.durationMs ?? facts.durationMs,
      format,
      ...endingOf(end, format),
      process: {
        exitCode: process.exitCode ?? undefined,
        signal: process.signal ?? undefined,
        stopped: process.stopped,
      },
      lines: { ...this.#counts },
    }
  }

  /** A chunk of text may end between the two halves of a character. */
  #wholeCharacters(chunk: string): string {
    const text = this.#half + chunk
    const split = /[\uD800-\uDBFF]$/.test(text)
    this.#half = split ? text.slice(-1) : ''
    return split ? text.slice(0, -1) : text
  }

  #bytes(bytes: Buffer | undefined, complete: boolean): void {
    if (!bytes) {
      this.#counts.oversized++
    } else if (complete && this.#agent && isPartialMessage(bytes)) {
      this.#counts.total++
      this.#seen['stream-json']++
    } else if (this.#line(bytes.toString('utf8')) === 'broken' && complete) {
      // A last line that ends in the middle was being written when the agent was killed.
      this.#counts.broken++
    }
  }

  #line(text: string): 'read' | 'broken' {
    if (text.trim() === '') return 'read'
    this.#counts.total++
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return 'broken'
    }
    // `--output-format json --verbose` prints all events as one array.
    if (Array.isArray(value)) for (const item of value) this.#object(asObject(item))
    return this.#object(asObject(value)) || Array.isArray(value) ? 'read' : 'broken'
  }

  #object(line: JsonObject | undefined): boolean {
    if (!line) return false
    this.#lookAlike ||= isLookAlike(line)
    if (!this.#lookAlike) this.#agent ??= agentOf(line)
    const format = this.#agent?.formatOf(line)
    if (!this.#agent || format === undefined) {
      this.#counts.unknown++
      return true
    }
    const decoded = this.#agent.decode(line, format, this.#limits)
    if (decoded.known) this.#seen[format]++
    else this.#counts.unknown++
    if (this.#after !== undefined && decoded.timestamp !== undefined)
      this.passing = Date.parse(decoded.timestamp) <= this.#after
    if (this.passing) this.#builder.passOver(decoded)
    else this.#builder.add(decoded, this.#agent.settle)
    if (this.#onEvent) for (const event of decoded.events) this.#onEvent(event)
    return true
  }

  #mostSeen(): TranscriptFormat | undefined {
    const { session, 'stream-json': stream } = this.#seen
    if (session === 0 && stream === 0) return undefined
    return session > stream ? 'session' : 'stream-json'
  }
}

/** Where the type comes first, as it does on these lines, it need not be parsed to be known. */
function isPartialMessage(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, PARTIAL_MESSAGE.length) === PARTIAL_MESSAGE
}
