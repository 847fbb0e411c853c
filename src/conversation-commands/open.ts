import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Exchange } from '../conversation-memory/record.ts'
import { sharedWords } from '../conversation-memory/record.ts'
import { type Piece, placeText } from '../documents/record.ts'
import { RalphError } from '../errors.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import {
  type CommandResult,
  type ConversationCommand,
  day,
  type NumberedResult,
  type NumberedResults,
  type Paint,
} from './command.ts'
import { conversationOrExchange } from './typed-id.ts'

type ReadTranscript = Awaited<ReturnType<Conversations['readExchange']>>

/** About two screens: who wants more turns the page. */
const LINES_A_PAGE = 60
const LONGEST_LINE = 1_000
const TITLE_CHARACTERS = 80
const NEIGHBOUR_CHARACTERS = 100
const STEP_CHARACTERS = 200
const MOST_STEPS = 200

export const openCommand: ConversationCommand = {
  name: 'conversations open',
  only: 'chat',
  arguments: '<result>',
  options: [
    { flags: '--page <number>', description: 'of a long one', value: 'count' },
    { flags: '--full', description: 'also tool calls and their results' },
  ],
  description: 'read what the last search found where it was said, by its number or an id',
  examples: ['2', '2 --page 2', 'x-7f3k2m9q'],
  async run({ conversations, documents, numbered }, { words: [typed], options }) {
    const { page = 1, full = false } = options as { page?: number; full?: boolean }
    const found = await opened(conversations, typed!, numbered)
    if ('pieceId' in found) return pieceResult(await documents!.around(found.pieceId), found.pieceId)
    const read = await conversations.readExchange(found.exchangeId, {
      limit: full ? MOST_STEPS : 1,
    })
    const around = await neighbours(conversations, read.exchange)
    const lines = linesOf(read, full)
    const pages = Math.max(1, Math.ceil(lines.length / LINES_A_PAGE))
    if (page > pages) {
      throw new RalphError('invalid_input', `there is no page ${page}: it has ${pages}`, {
        hint: `The last one: /open ${typed} --page ${pages}`,
      })
    }
    const shown = lines.slice((page - 1) * LINES_A_PAGE, page * LINES_A_PAGE)
    const more = page < pages ? [`Page ${page} of ${pages}: /open ${typed} --page ${page + 1}`] : []
    return {
      data: { exchange: read.exchange, conversation: read.conversation, page, pages },
      text: (paint) => placed(read, around, shown, paint),
      remark: [...more, `All of it: /show ${shortId('conversation', read.conversation.id)}`].join('\n'),
    }
  },
}

/** What a number or an id means; of a conversation, how it began. */
async function opened(
  conversations: Conversations,
  typed: string,
  numbered: NumberedResults | undefined,
): Promise<NumberedResult> {
  const number = /^\d{1,4}$/.test(typed) ? Number(typed) : undefined
  const found = number === undefined ? undefined : numbered?.last?.[number - 1]
  if (found) return found
  // Other programs may have given it a number for an id.
  const named = await conversationOrExchange(conversations, typed)
  if ('conversationId' in named) {
    const [first] = await conversations.history.exchangesOf(named.conversationId, { limit: 1 })
    if (first) return { exchangeId: first.id }
  }
  if (
    'exchangeId' in named &&
    (number === undefined || (await conversations.history.exchange(named.exchangeId)))
  )
    return named
  throw outOfRange(typed, numbered?.last?.length)
}

/** A piece of a document, and what stands around it a little paler. */
function pieceResult(around: readonly Piece[], id: string): CommandResult {
  const piece = around.find((one) => one.id === id)!
  const title = [...new Set([piece.title, ...piece.headings])].join(' › ')
  return {
    data: { piece },
    text: (paint) =>
      [
        paint('bold', title),
        paint('dim', placeText(piece.path, piece.place)),
        '',
        ...around.map((one) => (one.id === id ? one.text : paint('dim', one.text))),
      ].join('\n'),
  }
}

function outOfRange(typed: string, results: number | undefined): RalphError {
  if (results === undefined) {
    return new RalphError('invalid_input', `${typed} of what? Nothing was searched for yet`, {
      hint: 'Search first: /search timeout',
    })
  }
  const range =
    results === 0 ? 'found nothing' : results === 1 ? 'found one, number 1' : `found 1 to ${results}`
  return new RalphError('invalid_input', `there is no result ${typed}: the last search ${range}`)
}

interface Neighbours {
  before: Exchange | undefined
  after: Exchange | undefined
}

async function neighbours({ history }: Conversations, exchange: Exchange): Promise<Neighbours> {
  const from = Math.max(0, exchange.position - 1)
  const around = await history.exchangesOf(exchange.conversationId, { from, limit: 3 })
  return {
    before: around.find(({ position }) => position < exchange.position),
    after: around.find(({ position }) => position > exchange.position),
  }
}

interface Line {
  who: '' | 'user' | 'assistant' | 'step'
  text: string
}

function linesOf({ exchange, steps, stepCount }: ReadTranscript, full: boolean): Line[] {
  const said = (who: Line['who'], text: string): Line[] =>
    text.split('\n').map((line, at) => ({ who: at === 0 ? who : '', text: oneOf(line) }))
  const shown = full ? steps : []
  const left = stepCount - shown.length
  return [
    ...said('user', exchange.userMessage),
    ...shown.map(
      ({ role, toolName, content }): Line => ({
        who: 'step',
        text: `${role}${toolName ? ` ${toolName}` : ''}: ${oneLine(content, STEP_CHARACTERS)}`,
      }),
    ),
    ...(left > 0
      ? [
          {
            who: 'step',
            text: `(${left} ${shown.length > 0 ? 'more steps' : 'steps: --full shows them'})`,
          } as const,
        ]
      : []),
    ...said('assistant', exchange.assistantMessage || '(no answer)'),
  ]
}

/** A minified file in one line is no reading either. */
function oneOf(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()}…` : line
}

const LABELS = { '': '           ', user: 'user       ', assistant: 'assistant  ', step: '  ' }

function placed(
  { exchange, conversation }: ReadTranscript,
  { before, after }: Neighbours,
  lines: readonly Line[],
  paint: Paint,
): string {
  const facts = [
    day(exchange.completedAt ?? exchange.startedAt),
    `exchange ${exchange.position + 1} of ${conversation.exchangeCount}`,
    exchange.status === 'completed' ? '' : exchange.status,
    ...sharedWords(conversation),
  ]
  const neighbour = (mark: string, one: Exchange | undefined) =>
    one
      ? [
          paint(
            'dim',
            `${mark} ${shortId('exchange', one.id)}  ${oneLine(one.userMessage, NEIGHBOUR_CHARACTERS)}`,
          ),
        ]
      : []
  const painted = ({ who, text }: Line) => {
    if (who === 'step') return paint('dim', LABELS.step + text)
    const label = LABELS[who]
    return `${who === '' ? label : paint(who === 'user' ? 'cyan' : 'green', label)}${text}`
  }
  return [
    `${paint('bold', oneLine(conversation.title, TITLE_CHARACTERS))}  ${paint('dim', facts.filter(Boolean).join(' · '))}`,
    ...neighbour('↑', before),
    '',
    ...lines.map(painted),
    '',
    ...neighbour('↓', after),
  ]
    .join('\n')
    .trimEnd()
}
