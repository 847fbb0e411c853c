/** Puts lines together that belong to one message. */

const BLOCK = '"""'

export interface TypedMessage {
  text: string
  /** Between quotes: what looks like a command is none. */
  quoted: boolean
}

/**
 * A line that ends with a backslash goes on in the next one; between two lines of three quotes everything is one
 * message, whatever it looks like.
 */
export class MessageInput {
  #lines: string[] = []
  #block = false

  /** True while the message is not complete. */
  get open(): boolean {
    return this.#block || this.#lines.length > 0
  }

  /** Takes a line; returns the message when it is complete. */
  push(line: string): TypedMessage | undefined {
    if (line.trim() === BLOCK) {
      if (!this.#block) {
        this.#block = true
        return undefined
      }
      this.#block = false
      return this.#take(true)
    }
    if (this.#block) {
      this.#lines.push(line)
      return undefined
    }
    if (line.endsWith('\\')) {
      this.#lines.push(line.slice(0, -1))
      return undefined
    }
    this.#lines.push(line)
    return this.#take(false)
  }

  /** What has been typed so far, when there will be no more. */
  rest(): TypedMessage | undefined {
    const quoted = this.#block
    this.#block = false
    return this.#lines.length ? this.#take(quoted) : undefined
  }

  clear(): void {
    this.#lines = []
    this.#block = false
  }

  #take(quoted: boolean): TypedMessage {
    const text = this.#lines.join('\n')
    this.#lines = []
    return { text, quoted }
  }
}

/** Words of a command line; quotes keep words together. */
export function words(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '',
  )
}
