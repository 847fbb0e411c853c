import { basename } from 'node:path'
import type { CommandResult, NumberedResults } from '../conversation-commands/command.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Deferred } from '../deferred.ts'
import type { Documents } from '../documents/documents.ts'
import { isRalphError, messageOf } from '../errors.ts'
import { ordinal } from '../text/plural.ts'
import { TerminalPieces } from '../text/terminal.ts'
import type { TypedMessage } from './input.ts'
import { MarkdownStream } from './markdown.ts'
import { noModel } from './no-model.ts'
import { resumeChat } from './resume.ts'
import { Screen } from './screen.ts'
import { ChatSession } from './session.ts'
import { runSlash } from './slash.ts'
import { TypedMessages } from './typed-messages.ts'

export interface ChatOptions {
  conversations: Conversations
  documents?: Deferred<Documents> | undefined
  project?: string | undefined
  /** Go on with this conversation. */
  resume?: string | undefined
  /** Where typed lines are remembered for the arrow keys. */
  historyFile?: string | undefined
  /** Asks to leave, e.g. Ctrl-C where the chat is no terminal that hears it itself. */
  signal?: AbortSignal | undefined
  /** Throws unless it is a person who types. */
  requirePerson?: ((deed: string) => Promise<void>) | undefined
  input?: NodeJS.ReadableStream & { isTTY?: boolean }
  output?: NodeJS.WritableStream & { isTTY?: boolean }
}

/**
 * Runs the chat on a terminal, or line by line where there is none, until it is left. Returns how many of the lines
 * failed, for scripts.
 */
export async function runChat(options: ChatOptions): Promise<{ failures: number }> {
  const chat = new TerminalChat(options)
  await chat.run()
  return { failures: chat.failures }
}

/** Why an answer ends where it ends, where that is not plain to see. */
const ENDS: { readonly [stop: string]: string } = {
  cancelled: '(stopped)',
  length: '(cut: the answer was too long)',
  repetition: '(cut: the model only repeated itself)',
  refused: '(the model declined)',
  tool_limit: '(too many tool calls)',
}

/** Of an answer that was cut before its first word. */
const ONLY_THOUGHT =
  '(cut: the model thought for so long that no room was left for an answer; ask for less at once)'

const HOW_TO_CONFIRM = 'Type "yes" to go on'

class TerminalChat {
  readonly #options: ChatOptions
  readonly #conversations: Conversations
  readonly #screen: Screen
  readonly #typed: TypedMessages
  #session: ChatSession
  #underWay: AbortController | undefined
  #confirm: CommandResult['confirm']
  readonly #numbered: NumberedResults = {}
  failures = 0

  constructor(options: ChatOptions) {
    this.#options = options
    this.#conversations = options.conversations
    this.#session = new ChatSession({
      conversations: options.conversations,
      documents: options.documents,
      project: options.project,
    })
    const { input = process.stdin, output = process.stdout, historyFile, signal } = options
    this.#screen = new Screen(output, input.isTTY === true && output.isTTY === true)
    this.#typed = new TypedMessages({
      input,
      output,
      historyFile,
      screen: this.#screen,
      onInterrupt: () => this.#interrupted(),
      // A line before the prompt would be wiped by it.
      asking: () => this.#confirm && `${HOW_TO_CONFIRM}: `,
    })
    signal?.addEventListener('abort', () => {
      this.#interrupted()
      this.#typed.leave()
    })
  }

  async run(): Promise<void> {
    try {
      await this.#typed.loadHistory()
      await this.#greet()
      this.#conversations.workers.start()
      for await (const message of this.#typed) if (!(await this.#handle(message))) break
    } finally {
      this.#typed.close()
      await this.#session.close()
      await this.#conversations.workers.stop()
    }
  }

  async #greet(): Promise<void> {
    const { model } = this.#session
    const { paint, interactive } = this.#screen
    const { resume, documents, project } = this.#options
    await this.#conversations.closeAbandoned()
    const resumed =
      resume && (await resumeChat(resume, { conversations: this.#conversations, documents, project }))
    if (resumed) this.#session = resumed.session
    if (!interactive) return
    this.#screen.say(
      [
        model
          ? `${paint('bold', 'ralph chat')} with ${model.id}. It remembers.`
          : `${paint('bold', 'ralph chat')} without a model: ${paint('yellow', 'nobody answers yet.')}\n${noModel().hint}\n/search, /rag, /summarizer and /embeddings work.`,
        paint('dim', '/help for commands, Ctrl-D to leave'),
        ...(resumed ? [resumed.text] : []),
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
      else this.#screen.say('Not done.')
      return true
    }
    if (text === '') return true
    if (quoted || !text.startsWith('/')) {
      await this.#guarded((signal) => this.#ask(text, signal))
      return true
    }
    let stay = true
    await this.#guarded(async (signal) => {
      const result = await runSlash(text, {
        conversations: this.#conversations,
        documents: this.#options.documents,
        session: this.#session,
        project: this.#options.project,
        requirePerson: this.#options.requirePerson,
        numbered: this.#numbered,
        onProgress: (line) => this.#screen.progress(line),
        signal,
      })
      if (result.kind === 'quit') stay = false
      else if (result.kind === 'switched') {
        this.#session = result.session
        this.#screen.say(result.text)
      } else this.#said(result.result)
    })
    return stay
  }

  #said({ text, remark, confirm }: CommandResult): void {
    this.#confirm = confirm
    if (confirm) {
      this.#screen.say(this.#screen.interactive ? confirm.question : `${confirm.question}\n${HOW_TO_CONFIRM}`)
      return
    }
    const shown = text(this.#screen.paint)
    if (shown !== '') this.#screen.say(shown)
    if (remark !== undefined) this.#screen.aside(remark)
  }

  async #ask(text: string, signal: AbortSignal): Promise<void> {
    const screen = this.#screen
    const markdown = new MarkdownStream(screen.paint)
    const pieces = new TerminalPieces()
    screen.progress('…')
    let heard = false
    const asking = this.#session.send(
      text,
      {
        onText: (piece) => {
          heard = true
          const text = pieces.push(piece)
          screen.write(screen.interactive ? markdown.push(text) : text)
        },
        onContext: ({ conversations }, topic) => {
          const names = conversations.map(({ conversation }) => `"${conversation.title}"`).join(', ')
          const count = topic ? `your ${ordinal(topic.number)} conversation about "${topic.name}"; ` : ''
          screen.aside(`(${count}remembering ${names})`)
        },
        onDocuments: (found) => {
          const files = [...new Set(found.map(({ piece }) => basename(piece.path)))].join(', ')
          screen.aside(`(reading ${files})`)
        },
        onTool: (name) => {
          screen.write(markdown.end())
          screen.aside(`(${name})`)
        },
        onThinking: () => screen.progress('thinking…'),
        onWaiting: () => screen.progress('waiting until another answer is written…'),
        onRemark: (remark) => screen.aside(`(${remark})`),
      },
      signal,
    )
    const answer = await asking.catch((error: unknown) => {
      if (heard) screen.write(`${markdown.end()}\n`)
      if (heard) screen.aside('(broken off; what is above is kept)')
      throw error
    })
    if (heard) screen.write(`${markdown.end()}\n`)
    const end = answer.stop === 'length' && answer.text === '' ? ONLY_THOUGHT : ENDS[answer.stop]
    if (end !== undefined) screen.aside(end)
    screen.write('\n')
  }

  /** Whatever goes wrong is said in one or two lines, and the chat goes on. Ctrl-C stops what is under way. */
  async #guarded(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#underWay = new AbortController()
    try {
      await work(this.#underWay.signal)
    } catch (error) {
      this.failures++
      if (isRalphError(error) && error.code === 'cancelled') this.#screen.say('(stopped)')
      else {
        const hint = isRalphError(error) && error.hint ? `\n${error.hint}` : ''
        this.#screen.say(`${this.#screen.paint('red', 'error:')} ${messageOf(error)}${hint}`)
      }
    } finally {
      this.#underWay = undefined
    }
  }

  #interrupted(): boolean {
    this.#confirm = undefined
    this.#underWay?.abort()
    return this.#underWay !== undefined
  }
}
