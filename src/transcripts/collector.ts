import { LineSplitter } from '../files/lines.ts'
import { asObject, type JsonObject } from '../text/json.ts'
import { type AgentFormat, agentOf, type LineDecoder } from './agent-format.ts'
import type { AgentRun, LineCounts, Stop, TranscriptFormat } from './agent-run.ts'
import type { AgentName } from './agents.ts'
import { endingOf } from './ending.ts'
import type { AgentEvent, DecodedLine } from './events.ts'
import { COLLECT_LIMITS, type CollectLimits } from './limits.ts'
import { RunBuilder } from './run-builder.ts'

export interface CollectOptions {
  /** Whose output it is; default: told from its lines. */
  agent?: AgentName | undefined
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
  readonly #wanted: AgentName | undefined
  readonly #decoders = new Map<TranscriptFormat, LineDecoder>()
  #agent: AgentFormat | undefined
  /** While set, lines are passed over: they belong to an earlier stretch. */
  passing = false
  readonly #after: number | undefined
  readonly #onEvent: CollectOptions['onEvent']
  #half = ''

  constructor({ agent, limits = {}, after, onEvent }: CollectOptions = {}) {
    this.#wanted = agent
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
    for (const decoder of this.#decoders.values()) this.#take({ known: true, events: decoder.end?.() ?? [] })
    this.#decoders.clear()
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
    } else if (complete && this.#agent?.partial?.some((beginning) => beginsWith(bytes, beginning))) {
      // Where the type comes first, as it does on these lines, it need not be parsed to be known.
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

  /** A line that has been read already. */
  pushObject(line: JsonObject): void {
    this.#counts.total++
    this.#object(line)
  }

  /** What can be read of a file holds runs of this agent; undefined until a line has told. */
  get format(): AgentFormat | undefined {
    return this.#agent
  }

  #object(line: JsonObject | undefined): boolean {
    if (!line) return false
    this.#agent ??= agentOf(line, this.#wanted)
    const format = this.#formatOf(line)
    if (!this.#agent || format === undefined) {
      this.#counts.unknown++
      return true
    }
    const decoder = this.#decoders.get(format) ?? this.#agent.decoder(format, this.#limits)
    this.#decoders.set(format, decoder)
    const decoded = decoder.decode(line)
    if (decoded.known) this.#seen[format]++
    else this.#counts.unknown++
    this.#take(decoded)
    return true
  }

  #formatOf(line: JsonObject): TranscriptFormat | undefined {
    const format = this.#agent?.formatOf(line)
    if (format === undefined || this.#agent?.oneFormatPerFile !== true) return format
    return this.#decoders.keys().next().value ?? format
  }

  #take(decoded: DecodedLine): void {
    if (this.#after !== undefined && decoded.timestamp !== undefined)
      this.passing = Date.parse(decoded.timestamp) <= this.#after
    if (this.passing) this.#builder.passOver(decoded)
    else this.#builder.add(decoded, this.#agent!.settle)
    if (this.#onEvent) for (const event of decoded.events) this.#onEvent(event)
  }

  #mostSeen(): TranscriptFormat | undefined {
    const { session, 'stream-json': stream } = this.#seen
    if (session === 0 && stream === 0) return undefined
    return session > stream ? 'session' : 'stream-json'
  }
}

function beginsWith(bytes: Buffer, beginning: string): boolean {
  return bytes.toString('latin1', 0, beginning.length) === beginning
}
