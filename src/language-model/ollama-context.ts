import { RalphError } from '../errors.ts'
import type { Service } from '../services/service.ts'
import { promptTokens } from './prompt-text.ts'
import type { AskedModel } from './remote.ts'

const SMALLEST_CONTEXT = 4_096
/** Of a model that does not say how much it takes. */
const MOST_GUESSED = 131_072
/** Our estimate is some 1.3 times the true count. */
const SURELY = 0.6

/**
 * Ollama drops without a word what does not fit the context it was given, which is small unless it is told. Each other
 * size makes it load the model again, so sizes are few and never shrink, and one that another process has asked for is
 * taken as it is.
 */
export class ContextSize {
  #largest = SMALLEST_CONTEXT
  /** What the model is loaded with at present. */
  loaded: number | undefined

  for({ request, limits }: AskedModel, { model }: Service): number {
    const { contextTokens = Number.POSITIVE_INFINITY } = limits
    const prompt = promptTokens(request)
    // Only what is surely too long: of the rest the server, which counts, says so itself.
    if (prompt * SURELY > contextTokens) {
      throw new RalphError(
        'invalid_input',
        `the prompt has up to ${prompt} tokens, and ${model} takes ${contextTokens} with the answer`,
        { hint: 'Shorten it, or set language_model.model to a model with a larger context.' },
      )
    }
    const needed = prompt + request.maxTokens
    while (this.#largest < needed) this.#largest *= 2
    const { loaded = 0 } = this
    return Math.min(loaded < needed ? this.#largest : loaded, contextTokens)
  }

  /** Undefined when the model takes no more. */
  larger(size: number, { limits: { contextTokens = MOST_GUESSED } }: AskedModel): number | undefined {
    if (size >= contextTokens) return undefined
    this.#largest = size * 2
    return Math.min(this.#largest, contextTokens)
  }
}
