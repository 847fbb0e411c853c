import { basename } from 'node:path'
import { z } from 'zod'
import { LineSplitter } from '../../files/lines.ts'
import type { TokenUsage } from '../../transcripts/agent-run.ts'

/** What a run looks like while it runs. Rough: the record is made from the whole output afterwards. */
export interface Activity {
  /** "Edit form.ts", "Bash npm test" */
  lastAction: string
  /** Read and written, as far as the agent has told. */
  tokens: number
  /** Dollars: what the agent reported, else our estimate, else undefined. */
  cost: number | undefined
  toolCalls: number
}

/** Dollars for these tokens of this model; undefined when its price is not known. */
export type PriceList = (model: string, tokens: TokenUsage) => number | undefined

const count = z.number().nonnegative().catch(0)
const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
})
const Line = z.object({
  type: z.string(),
  total_cost_usd: z.number().optional().catch(undefined),
  message: z
    .object({
      id: z.string().optional().catch(undefined),
      model: z.string().optional().catch(undefined),
      usage: Usage.optional().catch(undefined),
      content: z
        .array(z.looseObject({ type: z.string() }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

/** Longer lines are file contents and tool output: nothing to show. */
const LONGEST_LINE = 64 * 1024
/** How many characters make a token, when nothing better is known. */
const CHARACTERS_PER_TOKEN = 4

interface Message {
  model: string
  tokens: TokenUsage
  characters: number
}

/** Watches the agent's output go by. Nothing in it makes this throw. */
export class ActivityWatch {
  readonly #prices: PriceList
  readonly #splitter = new LineSplitter((bytes) => bytes && this.#line(bytes.toString('utf8')), {
    longest: LONGEST_LINE,
  })
  readonly #messages = new Map<string, Message>()
  #reported: number | undefined
  #lastAction = 'starting'
  #toolCalls = 0

  constructor(prices: PriceList = () => undefined) {
    this.#prices = prices
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk)
  }

  get now(): Activity {
    const messages = [...this.#messages.values()]
    const tokens = messages.reduce((sum, message) => sum + total(message), 0)
    return { lastAction: this.#lastAction, tokens, cost: this.#cost(messages), toolCalls: this.#toolCalls }
  }

  #cost(messages: readonly Message[]): number | undefined {
    if (this.#reported !== undefined) return this.#reported
    const costs = messages.map(({ model, tokens, characters }) =>
      this.#prices(model, { ...tokens, output: Math.max(tokens.output, characters / CHARACTERS_PER_TOKEN) }),
    )
    const known = costs.filter((cost) => cost !== undefined)
    return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0)
  }

  #line(text: string): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return // counted by the collector
    }
    const line = Line.safeParse(value)
    if (!line.success) return
    const { type, message, total_cost_usd } = line.data
    if (type === 'result' && total_cost_usd !== undefined) this.#reported = total_cost_usd
    if (type === 'assistant' && message) this.#message(message)
  }

  #message({ id = '', model = '', usage, content = [] }: NonNullable<z.infer<typeof Line>['message']>): void {
    const known = this.#messages.get(id) ?? {
      model,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      characters: 0,
    }
    if (usage) {
      known.tokens = {
        input: usage.input_tokens,
        output: usage.output_tokens,
        cacheRead: usage.cache_read_input_tokens,
        cacheWrite: usage.cache_creation_input_tokens,
      }
    }
    known.characters += JSON.stringify(content).length
    this.#messages.set(id, known)
    for (const block of content) {
      if (block.type !== 'tool_use') continue
      this.#toolCalls++
      this.#lastAction = describeCall(block)
    }
  }
}

function total({ tokens }: Message): number {
  return tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite
}

function describeCall(block: Record<string, unknown>): string {
  const name = String(block.name ?? 'tool').replace(/^mcp__\w+?__/, '')
  const input = (typeof block.input === 'object' && block.input !== null ? block.input : {}) as Record<
    string,
    unknown
  >
  const path = input.file_path ?? input.notebook_path ?? input.path
  const detail =
    typeof path === 'string'
      ? basename(path)
      : (input.command ?? input.query ?? input.pattern ?? input.description)
  return typeof detail === 'string' ? `${name} ${detail.replace(/\s+/g, ' ').slice(0, 80)}` : name
}
