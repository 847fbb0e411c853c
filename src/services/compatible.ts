/** What a service that imitates OpenAI may not know, as its refusals say. */
export type Unknown = 'max_tokens' | 'stream_options' | 'tools' | 'reasoning_effort' | 'encoding_format'

const SAID: { readonly [what in Unknown]: RegExp } = {
  // OpenAI's newer models, wherever they are served.
  max_tokens: /max_completion_tokens/i,
  stream_options: /stream_options/i,
  // The word, or this value of it.
  reasoning_effort: /reasoning[_. ]effort/i,
  encoding_format: /encoding_format/i,
  tools: /tools?\b.{0,40}not (?:supported|allowed)|(?:not|n't) support tool|tool choice requires/i,
}

/** Asks a service again without what it has just refused, and does not ask for that a second time. */
export class Refused {
  readonly #unknown: Set<Unknown>

  constructor(...unknown: Unknown[]) {
    this.#unknown = new Set(unknown)
  }

  has(what: Unknown): boolean {
    return this.#unknown.has(what)
  }

  async heeding<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask()
    } catch (error) {
      const what = refusedIn(error)
      if (what === undefined || this.#unknown.has(what)) throw error
      this.#unknown.add(what)
      return this.heeding(ask)
    }
  }
}

function refusedIn(error: unknown): Unknown | undefined {
  if (!(error instanceof Error && 'status' in error)) return undefined
  if (error.status !== 400 && error.status !== 422) return undefined
  return (Object.keys(SAID) as Unknown[]).find((what) => SAID[what].test(error.message))
}
