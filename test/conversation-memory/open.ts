import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Conversations, type ConversationsOptions } from '../../src/conversation-memory/conversations.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { mendingIndex } from '../../src/retrieval/mending.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { SOMEBODY } from '../support/person.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { meaningEmbedder } from './meaning.ts'

export interface Opened {
  conversations: Conversations
  storage: Storage
  index: SearchIndex
  folder: string
  notices: Notice[]
  /** Another process's view on the same files. */
  again(more?: Partial<ConversationsOptions>): Promise<Opened>
}

/** Conversation memory on real files, closed after the test. */
export async function openTestConversations(
  more: Partial<ConversationsOptions> = {},
  folder?: string,
): Promise<Opened> {
  const home = folder ?? (await temporaryFolder())
  const storage = more.storage ?? (await openSqliteStorage({ path: join(home, 'ralph.db') }))
  const heard: Notice[] = []
  const notices = new Notices((notice) => heard.push(notice))
  const index =
    more.index ?? mendingIndex(openSqliteIndex({ path: join(home, 'index.db') }), { notices, of: 'the user' })
  const embedder: Embedder = meaningEmbedder()
  const conversations = new Conversations({
    person: SOMEBODY,
    storage,
    index,
    embedder: async () => embedder,
    summariser: extractiveSummariser(),
    sessionPlaces: sessionPlaces({ CLAUDE_CONFIG_DIR: join(home, 'claude') }, home),
    searchDefaults: { limit: 20, minSimilarity: 0.4 },
    notices,
    ...more,
  })
  onTestFinished(async () => {
    await conversations.close()
    await index.close()
    await storage.close()
  })
  return {
    conversations,
    storage,
    index,
    folder: home,
    notices: heard,
    again: (other) => openTestConversations(other ?? more, home),
  }
}

export const never = new AbortController().signal
