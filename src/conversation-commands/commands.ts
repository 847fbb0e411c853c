import type { ConversationCommand } from './command.ts'
import { embeddingCommands } from './embeddings.ts'
import { historyCommands } from './history.ts'
import { ragCommands } from './rag.ts'
import { search } from './search.ts'
import { tagCommands } from './tag.ts'
import { exportCommand, importCommand } from './transfer.ts'
import { summarizerCommands, workerCommands } from './workers.ts'

/** Everything one can tell conversation memory to do. Every surface offers what stands here and nothing else. */
export const CONVERSATION_COMMANDS: readonly ConversationCommand[] = [
  search,
  importCommand,
  exportCommand,
  ...historyCommands,
  ...tagCommands,
  ...ragCommands,
  ...summarizerCommands,
  ...embeddingCommands,
  ...workerCommands,
]

/** What the words that several commands begin with stand for. */
export const COMMAND_GROUPS: { readonly [name: string]: string } = {
  conversations: 'past conversations of all projects, found again',
  'conversations tag': 'tags of conversations',
  rag: 'retrieval: status, settings, and feedback on what it found',
  summarizer: 'status of the summarizers, or switch them',
  embeddings: 'status of the embedding pipeline, switch it, check its vectors, or make them anew',
  workers: 'what summarises and embeds conversations in the background',
}
