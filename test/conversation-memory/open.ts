import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Conversations, type ConversationsOptions } from '../../src/conversation-memory/conversations.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import type { LanguageModel } from '../../src/language-model/language-model.ts'
import type { Summariser } from '../../src/language-model/summariser.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { mendingIndex } from '../../src/retrieval/mending.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import type { PaidCalls } from '../../src/services/paid-calls.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { openTestLedger, type TestLimits } from '../support/ledger.ts'
import { SOMEBODY } from '../support/person.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { meaningEmbedder } from './meaning.ts'

export interface TestOptions extends Partial<ConversationsOptions> {
  /** A summariser whose calls are counted. */
  summarisedBy?: (calls: PaidCalls) => Summariser
  /** A model for the chat whose calls are counted. */
  answeredBy?: (calls: PaidCalls) => LanguageModel
  /** What its calls may cost in a month. */
  limits?: TestLimits
}

export interface Opened {
  conversations: Conversations
  storage: Storage
  index: SearchIndex
  folder: string
  notices: Notice[]
  /** Another process's view on the same files. */
  again(more?: TestOptions): Promise<Opened>
}

/** Conversation memory on real files, closed after the test. */
export async function openTestConversations(options: TestOptions = {}, folder?: string): Promise<Opened> {
  const { summarisedBy, answeredBy, limits, ...more } = options
  const home = folder ?? (await temporaryFolder())
  const storage = more.storage ?? (await openSqliteStorage({ path: join(home, 'ralph.db') }))
  const heard: Notice[] = []
  const notices = new Notices((notice) => heard.push(notice))
  const index =
    more.index ?? mendingIndex(openSqliteIndex({ path: join(home, 'index.db') }), { notices, of: 'the user' })
  const embedder: Embedder = meaningEmbedder()
  const spend = openTestLedger(storage, {
    ...(limits && { limits }),
    ...(more.clock && { clock: more.clock }),
  })
  const conversations = new Conversations({
    person: SOMEBODY,
    storage,
    index,
    embedder: async () => embedder,
    spend,
    summariser: summarisedBy?.(spend) ?? extractiveSummariser(),
    sessionPlaces: sessionPlaces({ CLAUDE_CONFIG_DIR: join(home, 'claude') }, home),
    searchDefaults: { limit: 20, minSimilarity: 0.4 },
    notices,
    ...more,
    ...(answeredBy && { languageModel: answeredBy(spend) }),
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
    again: (other) => openTestConversations(other ?? options, home),
  }
}

export const never = new AbortController().signal
