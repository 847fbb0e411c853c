import { givenVector, knownSource, type LineConversation } from '../backup-line.ts'
import type { ConversationFacts, ExchangeLine, RestoredExchange, RestoredFacts } from '../record.ts'

/** What was written by somebody who did not say who. */
const UNKNOWN_WRITER = 'imported'

/** What the lines of a file say of their conversations: the first one of each says it for all. */
export class BackupFacts {
  #id: string | undefined
  #conversation: LineConversation | undefined
  #restored: RestoredFacts | undefined

  of(line: ExchangeLine): { facts: ConversationFacts; restored: RestoredExchange } {
    if (line.conversation || line.conversation_id !== this.#id) {
      this.#id = line.conversation_id
      this.#conversation = line.conversation ?? undefined
      this.#restored = this.#conversation && restoredFacts(this.#conversation)
    }
    const { source, project, parent_id } = this.#conversation ?? {}
    const vector = line.vector && givenVector(line.vector)
    return {
      facts: {
        source: knownSource(source),
        ...(line.title && { title: line.title }),
        ...(project && { project }),
        ...(parent_id && { parentId: parent_id }),
      },
      restored: {
        ...(typeof line.summary === 'string' && {
          summary: { text: line.summary, model: line.summary_model ?? UNKNOWN_WRITER },
        }),
        ...(line.votes && { votes: line.votes }),
        ...(vector && { vector }),
        ...(this.#restored && { conversation: this.#restored }),
      },
    }
  }
}

function restoredFacts(conversation: LineConversation): RestoredFacts {
  const { shared, votes, summary, summary_model, summarised_exchanges, updated_at } = conversation
  const vector = conversation.vector && givenVector(conversation.vector)
  const updatedAt = new Date(updated_at ?? Number.NaN)
  return {
    ...(!Number.isNaN(updatedAt.getTime()) && { updatedAt }),
    ...(shared && { shared }),
    ...(votes && { votes }),
    ...(typeof summary === 'string' && {
      summary: { text: summary, model: summary_model ?? UNKNOWN_WRITER, covers: summarised_exchanges ?? 1 },
    }),
    ...(vector && { vector }),
  }
}
