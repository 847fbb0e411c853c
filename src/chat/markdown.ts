import { styleText } from 'node:util'
import type { Paint } from '../conversation-commands/command.ts'
import { inOwnColours } from '../text/terminal.ts'

/** Colours for a stream that wants them, to be shown by `Screen`; plain text for any other. */
export function painter(stream: NodeJS.WriteStream | undefined): Paint {
  if (!stream?.isTTY) return (_, text) => text
  return (style, text) => inOwnColours(text, (plain) => styleText(style, plain, { stream }))
}

/**
 * Light rendering of markdown while it arrives: headings, emphasis and code get a look, everything else passes
 * unchanged. Only a character or two are ever held back, to tell `*` from `**`.
 */
export class MarkdownStream {
  readonly #paint: Paint
  #held = ''
  #lineStart = true
  #heading = false
  #bold = false
  #code = false
  #fence = false

  constructor(paint: Paint) {
    this.#paint = paint
  }

  push(piece: string): string {
    const text = this.#held + piece
    this.#held = ''
    let shown = ''
    for (let at = 0; at < text.length; ) {
      const rest = text.slice(at)
      if (MAYBE_MARKER.test(rest)) {
        // Could become a marker with the next piece.
        this.#held = rest
        break
      }
      const { length, output } = this.#next(rest)
      shown += output
      at += length
    }
    return shown
  }

  end(): string {
    const rest = this.#held
    this.#held = ''
    this.#bold = false
    this.#code = false
    this.#heading = false
    this.#fence = false
    this.#lineStart = true
    return rest === '' ? '' : this.#styled(rest)
  }

  #next(rest: string): { length: number; output: string } {
    if (rest[0] === '\n') {
      this.#lineStart = true
      this.#heading = false
      this.#code = false
      return { length: 1, output: '\n' }
    }
    if (this.#lineStart) {
      const fence = /^ {0,3}```[^\n]*/.exec(rest)
      if (fence) {
        this.#fence = !this.#fence
        this.#lineStart = false
        return { length: fence[0].length, output: this.#paint('dim', fence[0]) }
      }
      const heading = this.#fence ? null : /^#{1,6} /.exec(rest)
      this.#lineStart = false
      if (heading) {
        this.#heading = true
        return { length: heading[0].length, output: '' }
      }
    }
    if (!this.#fence) {
      if (rest.startsWith('**') && !this.#code) {
        this.#bold = !this.#bold
        return { length: 2, output: '' }
      }
      if (rest[0] === '`') {
        this.#code = !this.#code
        return { length: 1, output: '' }
      }
    }
    const plain = /^[^\n`*]+/.exec(rest)?.[0] ?? rest[0]!
    return { length: plain.length, output: this.#styled(plain) }
  }

  #styled(text: string): string {
    if (this.#fence || this.#code) return this.#paint('cyan', text)
    return this.#bold || this.#heading ? this.#paint('bold', text) : text
  }
}

/** The whole of what is left is the beginning of a marker. */
const MAYBE_MARKER = /^(?:\*|`{1,2}| {1,3}`{0,2}|#{1,6}|```[^\n]*)$/
