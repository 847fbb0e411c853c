import type { CallToolResult } from '@modelcontextprotocol/server'
import { withinTime } from '../deferred.ts'
import { type ErrorCode, isRalphError, messageOf, RalphError } from '../errors.ts'
import type { Caretaker } from '../learnings/care.ts'
import type { Ralph } from '../ralph.ts'
import { MAX_WHOLE_TEXT, type ReceiptItem } from '../receipts/receipt.ts'
import { dataLine, nameOrQuoted, quoted } from '../text/quote.ts'
import { countTokens } from '../text/tokens.ts'
import type { Tool, ToolAnswer } from './tool.ts'

export interface SessionOptions {
  /** Opens memory on the first call: a server that is only listed costs nothing. */
  open: () => Promise<Ralph>
  /** Locks every call to this feature. */
  feature?: string | undefined
  /** What the receipts call this run of the agent. */
  run: string
  /** `reviewer` in a review iteration: may mark learnings as reviewed. */
  caretaker?: Caretaker | undefined
  timeLimits?: { read: number; write: number }
  log?: (line: string) => void
}

/** Memory is a help: whoever asked goes on without it rather than wait. */
const TIME_LIMITS = { read: 10_000, write: 20_000 }
const MOST_SAID = 1_500
/** From here on the agent is told to get on with it. */
const CALLS_WITHOUT_HINT = 10
const NOTE = 'Observations from earlier work; may be outdated: verify before relying on them.'
/** Mistakes of whoever called; anything else is ours or the machine's. */
const CALLERS_FAULT: readonly ErrorCode[] = ['invalid_input', 'not_found', 'conflict', 'limit_reached']

interface HandedOver {
  event: string
  feature: string
  items: ReceiptItem[]
  shown: string
}

/** What one connected agent has asked so far, and how each question is answered. Never throws. */
export class McpSession {
  readonly #options: SessionOptions
  readonly #pending = new Set<Promise<unknown>>()
  readonly #toldOf = new Set<string>()
  #calls = 0

  constructor(options: SessionOptions) {
    this.#options = options
  }

  get feature(): string | undefined {
    return this.#options.feature
  }

  async open(): Promise<Ralph> {
    try {
      return await this.#options.open()
    } catch (error) {
      // Broken settings are not the mistake of the agent that asks.
      const hint = isRalphError(error) ? error.hint : undefined
      throw new RalphError('unavailable', messageOf(error), { cause: error, ...(hint && { hint }) })
    }
  }

  async call(tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    this.#calls++
    const work = this.#answer(tool, args, signal)
    this.#pending.add(work)
    try {
      return await work
    } finally {
      this.#pending.delete(work)
    }
  }

  /** Leaves a receipt for what an agent was given; `shown` is all that it reads of the answer. */
  async noteHandedOver(ralph: Ralph, given: HandedOver): Promise<void> {
    const { event, feature, items, shown } = given
    if (items.length === 0) return
    const { run } = this.#options
    // Loading a tokenizer takes longer than all the rest of a first answer: whoever reads the receipt counts.
    const size = shown.length > MAX_WHOLE_TEXT ? { tokens: await countTokens(shown) } : { text: shown }
    ralph.receipts.append({ surface: 'mcp', event, run, ...size, items, ...(feature !== '' && { feature }) })
  }

  /** When every call has been answered, so that a write under way is not cut off. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending)
  }

  async #answer(tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    try {
      const ralph = await this.open()
      const { run, caretaker = 'agent' } = this.#options
      const feature = await this.#featureOf(ralph, tool, args)
      const answer = await this.#withinTime(tool, () =>
        tool.run({ ralph, feature, run, caretaker, signal }, args),
      )
      const framed = this.#framed(tool, answer, this.#problems(ralph, answer))
      // Clients show the one form or the other; they say the same.
      const shown = JSON.stringify(framed.structuredContent)
      await this.noteHandedOver(ralph, { event: tool.name, feature, items: answer.items ?? [], shown })
      return framed
    } catch (error) {
      return this.#failed(tool, error)
    }
  }

  async #featureOf(ralph: Ralph, tool: Tool, args: Record<string, unknown>): Promise<string> {
    if (tool.perFeature === false) return ''
    if (this.#options.feature !== undefined) return this.#options.feature
    const name = String(args['feature'] ?? '')
      .normalize('NFC')
      .trim()
    const known = await knownFeatures(ralph)
    if (known.includes(name)) return name
    const list =
      known.length > 0
        ? `Features here: ${known
            .slice(0, 30)
            .map((one) => nameOrQuoted(one, 100))
            .join(', ')}.`
        : 'This project has no features yet.'
    throw new RalphError('not_found', `there is no feature ${quoted(name, 100) || '""'} in this project`, {
      hint: list,
    })
  }

  async #withinTime(tool: Tool, run: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
    const limits = this.#options.timeLimits ?? TIME_LIMITS
    const limit = tool.kind === 'read' ? limits.read : limits.write
    // An index that is catching up goes on doing so.
    const answer = await withinTime(run(), limit)
    if (answer) return answer
    const what = tool.kind === 'read' ? 'memory did not answer' : 'memory did not confirm the change'
    throw new RalphError('timeout', `${what} within ${limit / 1000} s`, {
      hint: 'Go on without it; it may be busy indexing, so a later call may work.',
    })
  }

  /** What is degraded: said when it explains an empty answer, and else once. */
  #problems(ralph: Ralph, answer: ToolAnswer): string | undefined {
    const empty = (answer.items ?? []).length === 0
    const lines = ralph.notices
      .current()
      .filter(({ key }) => key !== 'receipts' && (empty || !this.#toldOf.has(key)))
      .map(({ key, message, hint }) => {
        this.#toldOf.add(key)
        return dataLine(hint ? `${message} (${hint})` : message)
      })
    return lines.length > 0 ? lines.join('; ') : undefined
  }

  #framed(tool: Tool, { structured, text, items }: ToolAnswer, problem: string | undefined): CallToolResult {
    const frame = {
      ...(tool.kind === 'read' && items && items.length > 0 && { note: NOTE }),
      ...(problem && { problem }),
      ...this.#hint(),
    }
    // It may name what stands in a file.
    const shown = { ...frame, ...(problem && { problem: quoted(problem, MOST_SAID) }) }
    return {
      content: [{ type: 'text', text: [text, ...Object.values(shown)].join('\n') }],
      structuredContent: { ...structured, ...frame },
    }
  }

  #hint(): { hint?: string } {
    if (this.#calls <= CALLS_WITHOUT_HINT) return {}
    return {
      hint: `This was memory call ${this.#calls} of this session: work with what you have, ask only for something new.`,
    }
  }

  #failed(tool: Tool, error: unknown): CallToolResult {
    const hint = isRalphError(error) && error.hint ? ` ${error.hint}` : ''
    const said = `${messageOf(error).split('\n')[0]}.${hint}`.replace(/([.!?])\.(\s|$)/, '$1$2')
    const line = dataLine(said)
    if (!isRalphError(error))
      this.#options.log?.(error instanceof Error ? (error.stack ?? error.message) : String(error))
    const callersFault = isRalphError(error) && CALLERS_FAULT.includes(error.code)
    if (tool.empty && !callersFault) {
      return this.#framed(tool, { structured: tool.empty, text: 'Nothing: memory is out of order.' }, line)
    }
    return { isError: true, content: [{ type: 'text', text: quoted(line, MOST_SAID) }] }
  }
}

/** Features on the board, and those that have memory. */
export async function knownFeatures(ralph: Ralph): Promise<string[]> {
  const onBoard = await ralph.board.features().then(
    (features) => features.map(({ name }) => name),
    (error) => {
      // A board that cannot be read must not hide the memory beside it.
      ralph.notices.once({ key: 'board', message: messageOf(error).split('\n')[0]!, hint: 'ralph doctor' })
      return []
    },
  )
  return [...new Set([...onBoard, ...(await ralph.featureMemory.features())])].sort()
}
