import type { Paint } from '../conversation-commands/command.ts'
import { forTerminal } from '../text/terminal.ts'
import { painter } from './markdown.ts'

/** Where the chat is shown: lines that stay, and one line of progress that does not. */
export class Screen {
  readonly #out: NodeJS.WritableStream
  readonly paint: Paint
  /** A person watches, and types. */
  readonly interactive: boolean
  #progressShown = false

  constructor(out: NodeJS.WritableStream, interactive: boolean) {
    this.#out = out
    this.interactive = interactive
    this.paint = painter(interactive ? (out as NodeJS.WriteStream) : undefined)
  }

  /** A piece of a text, as it comes. */
  write(text: string): void {
    this.clearProgress()
    this.#out.write(forTerminal(text))
  }

  say(text: string): void {
    this.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  aside(text: string): void {
    this.say(this.paint('dim', text))
  }

  progress(line: string): void {
    if (!this.interactive) return
    this.#progressShown = true
    this.#out.write(`\r\x1b[K${forTerminal(this.paint('dim', line))}`)
  }

  clearProgress(): void {
    if (!this.#progressShown) return
    this.#progressShown = false
    this.#out.write('\r\x1b[K')
  }
}
