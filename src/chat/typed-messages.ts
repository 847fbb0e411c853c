import { readFile } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline'
import { writeOwnFile } from '../files/own-files.ts'
import { redact } from '../text/redact.ts'
import { forTerminal } from '../text/terminal.ts'
import { MessageInput, type TypedMessage } from './input.ts'
import type { Screen } from './screen.ts'

export interface TypedMessagesOptions {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  screen: Screen
  /** Where typed lines are remembered for the arrow keys. */
  historyFile?: string | undefined
  /** Ctrl-C: true when there was something to stop. */
  onInterrupt: () => boolean
  /** What is being waited for, where it is not just anything. */
  asking: () => string | undefined
}

/** Lines that arrive faster than anybody types were pasted, and are one message. */
const PASTE_MS = 15
/** Asks a terminal to say where something pasted begins and ends: its last line is sent when the person says so. */
const TELL_PASTES = { on: '\x1b[?2004h', off: '\x1b[?2004l' } as const
const HISTORY_LINES = 500

/** What a person types, message by message, until there is no more. */
export class TypedMessages {
  readonly #options: TypedMessagesOptions
  readonly #lines: Interface
  readonly #message = new MessageInput()
  readonly #waiting: TypedMessage[] = []
  #wake: (() => void) | undefined
  #closed = false
  #leaving = false
  /** Lines of the message that is being pasted. */
  #pasted: string[] = []

  constructor(options: TypedMessagesOptions) {
    this.#options = options
    const { interactive } = options.screen
    this.#lines = createInterface({
      input: options.input,
      output: interactive ? options.output : undefined,
      terminal: interactive,
      historySize: HISTORY_LINES,
      removeHistoryDuplicates: true,
    } as Parameters<typeof createInterface>[0])
    this.#listen()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TypedMessage> {
    while (!this.#closed || this.#waiting.length > 0) {
      const next = this.#waiting.shift()
      if (next === undefined) await this.#more()
      else {
        this.#leaving = false
        yield next
      }
    }
  }

  close(): void {
    this.#lines.close()
  }

  /** Ends without what was typed ahead. */
  leave(): void {
    this.close()
    this.#waiting.length = 0
  }

  /** For the arrow keys. */
  async loadHistory(): Promise<void> {
    const { historyFile, screen } = this.#options
    if (!screen.interactive || !historyFile) return
    const text = await readFile(historyFile, 'utf8').catch(() => '') // the first time there is none
    const typed = text.split('\n').filter(Boolean).slice(-HISTORY_LINES)
    ;(this.#lines as Interface & { history: string[] }).history = typed.reverse()
  }

  async #more(): Promise<void> {
    this.#prompt()
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#wake = undefined
  }

  #listen(): void {
    let pasting: NodeJS.Timeout | undefined
    let isPasting = false
    const { input, output, screen } = this.#options
    if (screen.interactive) {
      output.write(TELL_PASTES.on)
      input.on('keypress', (_: unknown, key: { name?: string } | undefined) => {
        if (key?.name === 'paste-start' || key?.name === 'paste-end') isPasting = key.name === 'paste-start'
      })
    }
    this.#lines.on('line', (line) => {
      if (!screen.interactive) return this.#deliver(line)
      this.#pasted.push(line)
      clearTimeout(pasting)
      if (!isPasting) pasting = setTimeout(() => this.#together(), PASTE_MS)
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.on('close', () => {
      clearTimeout(pasting)
      if (screen.interactive) output.write(TELL_PASTES.off)
      if (this.#pasted.length > 0) this.#together()
      const rest = this.#message.rest()
      if (rest !== undefined) this.#waiting.push(rest)
      this.#closed = true
      this.#wake?.()
    })
  }

  #together(): void {
    const together = this.#pasted.join('\n')
    this.#pasted = []
    this.#remember(together)
    this.#deliver(together)
  }

  #deliver(line: string): void {
    const message = this.#message.push(line)
    if (message === undefined) this.#prompt()
    else {
      this.#waiting.push(message)
      this.#wake?.()
    }
  }

  /** Stops what is under way; else drops what is typed; twice in a row leaves. */
  #interrupt(): void {
    if (this.#options.onInterrupt()) return
    const typed = this.#lines.line !== '' || this.#message.open || this.#pasted.length > 0
    this.#message.clear()
    this.#pasted = []
    if (!typed && this.#leaving) {
      this.#lines.close()
      return
    }
    this.#leaving = !typed
    this.#options.screen.write(typed ? '\n' : '\n(Ctrl-C again to leave)\n')
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#prompt()
  }

  #prompt(): void {
    const { screen, asking } = this.#options
    if (!screen.interactive || this.#closed) return
    const prompt = this.#message.open ? screen.paint('dim', '… ') : (asking() ?? screen.paint('green', '> '))
    this.#lines.setPrompt(forTerminal(prompt))
    this.#lines.prompt()
  }

  #remember(line: string): void {
    const { historyFile } = this.#options
    if (!historyFile || line.trim() === '' || line.includes('\n')) return
    try {
      writeOwnFile(historyFile, `${redact(line)}\n`, { access: 'append', mode: 0o600 })
    } catch {
      // The arrow keys are a comfort: a full disk must not end the chat.
    }
  }
}
