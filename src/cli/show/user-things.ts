import type { Exchange, Message } from '../../conversation-memory/record.ts'
import { sharedWords } from '../../conversation-memory/record.ts'
import { type Piece, placeText } from '../../documents/record.ts'
import type { Opened, OpenedExchange, OpenedPiece } from '../../lookup/open.ts'
import { problemOf, solutionOf } from '../../project-knowledge/entry-text.ts'
import { plural } from '../../text/plural.ts'
import { shortId } from '../../text/short-id.ts'
import { agentLabel } from '../../transcripts/agents.ts'
import type { ShowPage } from './leads.ts'
import { factsLine, section, time } from './parts.ts'

/** What is kept with the user, each thing with all that is known of it. */

export function knowledgePage({ out }: ShowPage, opened: Extract<Opened, { kind: 'knowledge' }>): string[] {
  const { entry, state } = opened
  const known = state === 'embedded' ? opened : undefined
  return [
    out.style('bold', problemOf(entry)),
    factsLine(out, [
      `knowledge: ${entry.kind}`,
      ...(state === 'staged' ? [opened.entry.verified ? 'staged' : 'staged, not verified'] : []),
      ...(known ? [plural(known.entry.successCount, 'success', 'successes')] : []),
      ...(known ? [`helped ${known.entry.helped}×, misled ${known.entry.misled}×`] : []),
      time(entry.capturedAt),
    ]),
    ...section(out, 'Solution', [solutionOf(entry)]),
    ...section(out, 'Task', [entry.taskDescription]),
    ...section(out, 'About', [
      [entry.agentType, entry.taskType, entry.technology].filter(Boolean).join(' · '),
    ]),
    ...section(out, 'From', [
      entry.project,
      ...(known?.sightings.map(({ project, seenAt }) => `${project}, ${time(seenAt)}`) ?? []),
    ]),
  ]
}

export function conversationPage(
  { out }: ShowPage,
  { conversation, exchanges }: Extract<Opened, { kind: 'conversation' }>,
): string[] {
  const { title, source, project, updatedAt, summary = '', tags } = conversation
  return [
    out.style('bold', title),
    factsLine(out, [
      `conversation (${agentLabel(source)})`,
      plural(conversation.exchangeCount, 'exchange'),
      ...(updatedAt ? [time(updatedAt.toISOString())] : []),
      ...(project ? [project] : []),
      ...tags,
      ...sharedWords(conversation),
    ]),
    ...section(out, 'In short', [summary]),
    ...exchanges.flatMap((exchange) => [
      '',
      out.style('dim', shortId('exchange', exchange.id)),
      ...exchangeLines({ out }, exchange, []),
    ]),
  ]
}

export function exchangePage(page: ShowPage, { exchange, conversation, steps }: OpenedExchange): string[] {
  const { out } = page
  return [
    out.style('bold', conversation.title),
    factsLine(out, [
      `exchange ${exchange.position + 1} of ${conversation.exchangeCount}`,
      shortId('conversation', conversation.id),
      ...(exchange.startedAt ? [time(exchange.startedAt.toISOString())] : []),
      ...(exchange.status === 'completed' ? [] : [exchange.status]),
      ...(conversation.project ? [conversation.project] : []),
      ...sharedWords(conversation),
    ]),
    '',
    ...exchangeLines(page, exchange, steps),
  ]
}

export function piecePage({ out }: ShowPage, { piece, before, after }: OpenedPiece): string[] {
  const lead = (where: string, one: Piece | undefined) =>
    one ? [out.style('dim', `${where}: ${shortId('piece', one.id)}`)] : []
  return [
    out.style('bold', [piece.title, ...piece.headings].join(' › ')),
    factsLine(out, ['document', placeText(piece.path, piece.place)]),
    '',
    piece.text,
    '',
    ...lead('before it', before),
    ...lead('after it', after),
  ]
}

function exchangeLines(
  { out }: Pick<ShowPage, 'out'>,
  exchange: Exchange,
  steps: readonly Message[],
): string[] {
  const { userMessage, assistantMessage } = exchange
  return [
    `${out.style('cyan', 'user')}  ${userMessage}`,
    ...steps.map(({ role, toolName, content }) =>
      out.style('dim', `${role}${toolName ? ` ${toolName}` : ''}: ${content}`),
    ),
    `${out.style('green', 'assistant')}  ${assistantMessage || '(no answer)'}`,
  ]
}

export async function receiptPage(
  { out }: ShowPage,
  { receipt }: Extract<Opened, { kind: 'receipt' }>,
): Promise<string[]> {
  const { receiptText } = await import('../commands/receipts.ts')
  return [
    receiptText(out, receipt),
    ...(receipt.text === undefined
      ? section(
          out,
          'Told',
          receipt.items.flatMap(({ text }) => text ?? []),
        )
      : section(out, 'Told', [receipt.text])),
  ]
}

export async function gatePage(
  { out }: ShowPage,
  { gate }: Extract<Opened, { kind: 'gate' }>,
): Promise<string[]> {
  const { gateText } = await import('../commands/gate.ts')
  return [gateText(out, gate)]
}
