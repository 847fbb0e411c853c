import { clusters } from './clusters.ts'
import type { ConversationCommand } from './command.ts'
import { documentCommands } from './documents.ts'
import { embeddingCommands } from './embeddings.ts'
import { historyCommands } from './history.ts'
import { openCommand } from './open.ts'
import { ragCommands } from './rag.ts'
import { search } from './search.ts'
import { shareCommands } from './share.ts'
import { spendCommand } from './spend.ts'
import { tagCommands } from './tag.ts'
import { exportCommand, importCommand } from './transfer.ts'
import { summarizerCommands, workerCommands } from './workers.ts'

/** Everything one can tell conversation memory to do. Every surface offers what stands here and nothing else. */
export const CONVERSATION_COMMANDS: readonly ConversationCommand[] = [
  search,
  openCommand,
  importCommand,
  exportCommand,
  ...historyCommands,
  clusters,
  ...tagCommands,
  ...shareCommands,
  ...documentCommands,
  ...ragCommands,
  ...summarizerCommands,
  ...embeddingCommands,
  ...workerCommands,
  spendCommand,
]
