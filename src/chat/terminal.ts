import { appendFile, readFile } from 'node:fs/promises'
import { createInterface, type Interface } from 'node:readline'
import type { CommandResult } from '../conversation-memory/commands/command.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import { isRalphError, messageOf } from '../errors.ts'
import { redact } from '../text/redact.ts'
import { runSlash } from './commands.ts'
import { MessageInput, type TypedMessage } from './input.ts'
import { MarkdownStream, type Paint, painter } from './markdown.ts'
import { ChatSession, noModel } from './session.ts'

export interface ChatOptions {
  conversations: Conversations
  project?: string | undefined
  /** Go on with this conversation. */
  resume?: string | undefined
  /** Where typed lines are remembered for the arrow keys. */
  historyFile?: string | undefined
  input?: NodeJS.ReadableStream & { isTTY?: boolean }
  output?: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Lines that arrive faster than anybody types were pasted, and are one message. */
const PASTE_MS = 15
const HISTORY_LINES = 500

/**
 * Runs the chat on a terminal, or line by line where there is none, until it is left. Returns how many of the lines
 * failed, for scripts.
 */
export async function runChat(options: ChatOptions): Promise<{ failures: number }> {
  const chat = new TerminalChat(options)
  await chat.run()
  return { failures: chat.failures }
}

class TerminalChat {
  readonly #options: ChatOptions
  readonly #conversations: Conversations
  readonly #out: NodeJS.WritableStream & { isTTY?: boolean }
  readonly #interactive: boolean
  readonly #paint: Paint
  readonly #message = new MessageInput()
  readonly #waiting: TypedMessage[] = []
  #session: ChatSession
  #lines: Interface
  #answering: AbortController | undefined
  #confirm: CommandResult['confirm']
  #wake: (() => void) | undefined
  #closed = false
  #leaving = false
  failures = 0

  constructor(options: ChatOptions) {
    this.#options = options
    this.#conversations = options.conversations
    this.#session = new ChatSession({
      conversations: options.conversations,
      project: options.project,
      conversationId: options.resume,
    })
    const input = options.input ?? process.stdin
    this.#out = options.output ?? process.stdout
    this.#interactive = input.isTTY === true && this.#out.isTTY === true
    this.#paint = painter(this.#interactive ? (this.#out as NodeJS.WriteStream) : undefined)
    this.#lines = createInterface({
      input,
      output: this.#interactive ? this.#out : undefined,
      terminal: this.#interactive,
      historySize: HISTORY_LINES,
      removeHistoryDuplicates: true,
    } as Parameters<typeof createInterface>[0])
  }

  async run(): Promise<void> {
    await this.#loadHistory()
    this.#listen()
    await this.#greet()
    this.#conversations.workers.start()
    try {
      for (let line = await this.#nextMessage(); line !== undefined; line = await this.#nextMessage()) {
        if (!(await this.#handle(line))) break
      }
    } finally {
      this.#lines.close()
      await this.#session.close()
      await this.#conversations.workers.stop()
    }
  }

  async #greet(): Promise<void> {
    const { model } = this.#session
    if (this.#options.resume) await this.#session.resume()
    if (!this.#interactive) return
    this.#say(
      [
        model
          ? `${this.#paint('bold', 'ralph chat')} with ${model.id}. It remembers.`
          : `${this.#paint('bold', 'ralph chat')} without a model: ${this.#paint('yellow', 'nobody answers yet.')}\n${noModel().hint}\n/search, /rag, /summarizer and /embeddings work.`,
        this.#paint('dim', '/help for commands, Ctrl-D to leave'),
        '',
      ].join('\n'),
    )
  }

  /** Returns false when it is time to leave. */
  async #handle({ text: typed, quoted }: TypedMessage): Promise<boolean> {
    const text = typed.trim()
    if (this.#confirm) {
      const { go } = this.#confirm
      this.#confirm = undefined
      if (text.toLowerCase() === 'yes') await this.#guarded(async () => this.#said(await go()))
      else this.#say('Not done.\n')
      return true
    }
    if (text === '') return true
    if (quoted || !text.startsWith('/')) {
      await this.#guarded(() => this.#ask(text))
      return true
    }
    let stay = true
    await this.#guarded(async (signal) => {
      const result = await runSlash(text, {
        conversations: this.#conversations,
        session: this.#session,
        project: this.#options.project,
        onProgress: (progress) => this.#progress(progress),
        signal,
      })
      if (result.kind === 'quit') stay = false
      else if (result.kind === 'switched') {
        this.#session = result.session
        this.#say(`${result.text}\n`)
      } else this.#said(result.result)
    })
    return stay
  }

  #said({ text, confirm }: CommandResult): void {
    this.#clearProgress()
    this.#confirm = confirm
    this.#say(confirm ? `${confirm.question}${this.#interactive ? '' : '\n'}` : `${text}\n`)
  }

  async #ask(text: string): Promise<void> {
    const markdown = new MarkdownStream(this.#paint)
    const signal = this.#answering!.signal
    this.#progress('…')
    const answer = await this.#session.send(
      text,
      {
        onText: (piece) => {
          this.#clearProgress()
          this.#out.write(this.#interactive ? markdown.push(piece) : piece)
        },
        onContext: ({ conversations }) => {
          const names = conversations.map(({ conversation }) => `"${conversation.title}"`).join(', ')
          this.#say(`${this.#paint('dim', `(remembering ${names})`)}\n`)
        },
        onTool: (name) => {
          this.#out.write(markdown.end())
          this.#say(`${this.#paint('dim', `(${name})`)}\n`)
        },
      },
      signal,
    )
    this.#clearProgress()
    this.#out.write(`${markdown.end()}\n`)
    const ends = {
      cancelled: '(stopped)',
      length: '(cut: the answer was too long)',
      refused: '(the model declined)',
      tool_limit: '(too many tool calls)',
    }
    const end = ends[answer.stop as keyof typeof ends]
    if (end) this.#say(`${this.#paint('dim', end)}\n`)
    this.#out.write('\n')
  }

  /** Whatever goes wrong is said in one or two lines, and the chat goes on. Ctrl-C stops what is under way. */
  async #guarded(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#answering = new AbortController()
    try {
      await work(this.#answering.signal)
    } catch (error) {
      this.#clearProgress()
      this.failures++
      if (isRalphError(error) && error.code === 'cancelled') this.#say('(stopped)\n')
      else
        this.#say(
          `${this.#paint('red', 'error:')} ${messageOf(error)}${isRalphError(error) && error.hint ? `\n${error.hint}` : ''}\n`,
        )
    } finally {
      this.#answering = undefined
    }
  }

  #listen(): void {
    let pasting: NodeJS.Timeout | undefined
    let pasted: string[] = []
    const deliver = (line: string) => {
      const message = this.#message.push(line)
      if (message === undefined) return this.#prompt()
      this.#waiting.push(message)
      this.#wake?.()
    }
    this.#lines.on('line', (line) => {
      if (!this.#interactive) return deliver(line)
      pasted.push(line)
      clearTimeout(pasting)
      pasting = setTimeout(() => {
        const together = pasted.join('\n')
        pasted = []
        this.#remember(together)
        deliver(together)
      }, PASTE_MS)
    })
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.on('close', () => {
      clearTimeout(pasting)
      if (pasted.length > 0) deliver(pasted.join('\n'))
      const rest = this.#message.rest()
      if (rest !== undefined) this.#waiting.push(rest)
      this.#closed = true
      this.#wake?.()
    })
  }

  /** Stops the answer; else drops what is typed; twice in a row leaves. */
  #interrupt(): void {
    if (this.#answering) {
      this.#answering.abort()
      return
    }
    const typed = this.#lines.line !== '' || this.#message.open
    this.#message.clear()
    this.#confirm = undefined
    if (!typed && this.#leaving) {
      this.#lines.close()
      return
    }
    this.#leaving = !typed
    this.#out.write(typed ? '\n' : '\n(Ctrl-C again to leave)\n')
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#prompt()
  }

  async #nextMessage(): Promise<TypedMessage | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined
      this.#prompt()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
    this.#leaving = false
    return this.#waiting.shift()
  }

  #prompt(): void {
    if (!this.#interactive || this.#closed) return
    this.#lines.setPrompt(
      this.#confirm ? '' : this.#message.open ? this.#paint('dim', '… ') : this.#paint('green', '> '),
    )
    this.#lines.prompt()
  }

  #say(text: string): void {
    this.#clearProgress()
    this.#out.write(text.endsWith('\n') || text.endsWith(': ') ? text : `${text}\n`)
  }

  #progressShown = false
  #progress(line: string): void {
    if (!this.#interactive) return
    this.#progressShown = true
    this.#out.write(`\r\x1b[K${this.#paint('dim', line)}`)
  }

  #clearProgress(): void {
    if (!this.#progressShown) return
    this.#progressShown = false
    this.#out.write('\r\x1b[K')
  }

  async #loadHistory(): Promise<void> {
    const { historyFile } = this.#options
    if (!this.#interactive || !historyFile) return
    const text = await readFile(historyFile, 'utf8').catch(() => '') // the first time there is none
    const typed = text.split('\n').filter(Boolean).slice(-HISTORY_LINES)
    ;(this.#lines as Interface & { history: string[] }).history = typed.reverse()
  }

  #remember(line: string): void {
    const { historyFile } = this.#options
    if (!historyFile || line.trim() === '' || line.includes('\n')) return
    redact(line)
      .then(({ text }) => appendFile(historyFile, `${text}\n`, { mode: 0o600 }))
      // The arrow keys are a comfort: a full disk must not end the chat.
      .catch(() => undefined)
  }
}
