import { writeGiven } from '../files/given-file.ts'
import type { History } from './history.ts'
import type { Conversation, Exchange, Message } from './record.ts'
import type { Tags } from './tags.ts'

export interface ExportOptions {
  conversationId?: string
  tag?: string
  /** Also what happened between the messages: tool calls and their results. */
  messages?: boolean
  signal?: AbortSignal
}

export interface ExportReport {
  path: string
  exchanges: number
}

interface Sources {
  history: History
  tags: Tags
}

/** Writes the lines to a file that only its owner may read. */
export async function exportTo(
  path: string,
  sources: Sources,
  options: ExportOptions,
): Promise<ExportReport> {
  const exchanges = await writeGiven(path, exportLines(sources, options), 'cannot export')
  return { path, exchanges }
}

/** All conversations, or one, in the neutral form, line by line however many there are. */
export async function* exportLines(
  { history, tags: allTags }: Sources,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  for await (const conversation of conversationsOf(history, options)) {
    const tags = await allTags.of(conversation.id)
    for (let from = 0; ; ) {
      const page = await history.exchangesOf(conversation.id, { from, limit: 200 })
      if (page.length === 0) break
      const steps = options.messages === false ? new Map() : await history.steps(page.map(({ id }) => id))
      for (const exchange of page) {
        options.signal?.throwIfAborted()
        yield JSON.stringify(toLine(conversation, exchange, steps.get(exchange.id) ?? [], tags))
      }
      from = page.at(-1)!.position + 1
    }
  }
}

async function* conversationsOf(history: History, options: ExportOptions): AsyncGenerator<Conversation> {
  if (options.conversationId !== undefined) {
    const conversation = await history.conversation(options.conversationId)
    if (conversation) yield conversation
    return
  }
  const filter = options.tag === undefined ? {} : { tag: options.tag }
  for (let page = await history.list({ ...filter, limit: 200 }); page.length > 0; ) {
    yield* page
    page = await history.list({ ...filter, limit: 200, after: page.at(-1)! })
  }
}

function toLine(
  conversation: Conversation,
  exchange: Exchange,
  steps: readonly Message[],
  tags: readonly string[],
) {
  return {
    conversation_id: conversation.id,
    title: conversation.title,
    exchange_id: exchange.id,
    user_message: exchange.userMessage,
    assistant_message: exchange.assistantMessage,
    ...(exchange.status !== 'completed' && { status: exchange.status }),
    ...(exchange.startedAt && { started_at: exchange.startedAt.toISOString() }),
    ...(exchange.completedAt && { completed_at: exchange.completedAt.toISOString() }),
    ...(exchange.summary && { summary: exchange.summary }),
    ...(tags.length > 0 && { tags }),
    ...(steps.length > 0 && {
      messages: steps.map(({ role, content, toolName }) => ({
        role,
        content,
        ...(toolName && { tool_name: toolName }),
      })),
    }),
  }
}
