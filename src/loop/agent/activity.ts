import { basename } from 'node:path'
import { type TokenUsage, tokensIn } from '../../transcripts/agent-run.ts'
import type { AgentEvent } from '../../transcripts/events.ts'

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

/** How many characters make a token, when nothing better is known. */
const CHARACTERS_PER_TOKEN = 4

interface Response {
  model: string
  usage: TokenUsage
  characters: number
}

/** Adds up what the agent does as it is read. */
export class ActivityWatch {
  readonly #prices: PriceList
  readonly #responses = new Map<string, Response>()
  #model: string
  #reported: number | undefined
  #lastAction = 'starting'
  #toolCalls = 0

  /** `model`: until the agent says which it is. */
  constructor(prices: PriceList = () => undefined, model = '') {
    this.#prices = prices
    this.#model = model
  }

  take(event: AgentEvent): void {
    switch (event.kind) {
      case 'session':
        this.#model = event.model ?? this.#model
        break
      case 'response': {
        const before = this.#responses.get(event.id)
        const characters = (before?.characters ?? 0) + event.characters()
        this.#responses.set(event.id, { model: this.#model, usage: event.usage, characters })
        break
      }
      case 'call':
        this.#toolCalls++
        this.#lastAction = actionWords(event)
        break
      case 'result':
        this.#reported = event.result.totalCostUsd ?? this.#reported
    }
  }

  get now(): Activity {
    const responses = [...this.#responses.values()]
    const tokens = responses.reduce((sum, { usage }) => sum + tokensIn(usage), 0)
    return { lastAction: this.#lastAction, tokens, cost: this.#cost(responses), toolCalls: this.#toolCalls }
  }

  #cost(responses: readonly Response[]): number | undefined {
    if (this.#reported !== undefined) return this.#reported
    const costs = responses.map(({ model, usage, characters }) =>
      // While it is being written, the service has not counted it yet.
      this.#prices(model, { ...usage, output: Math.max(usage.output, characters / CHARACTERS_PER_TOKEN) }),
    )
    const known = costs.filter((cost) => cost !== undefined)
    return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0)
  }
}

function actionWords({ call, about }: AgentEvent & { kind: 'call' }): string {
  const name = call.name.replace(/^mcp__\w+?__|^(?:mcp_)?ralph[_-]/, '')
  const [path] = call.paths
  const detail = path === undefined ? (call.command ?? about) : basename(path)
  return detail === undefined ? name : `${name} ${detail.replace(/\s+/g, ' ').slice(0, 80)}`
}
