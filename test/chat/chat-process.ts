/** Asks one question in a chat until it is killed: `node chat-process.ts FOLDER MODEL_URL CONVERSATION`. */
import { join } from 'node:path'
import { ChatSession } from '../../src/chat/session.ts'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { meaningEmbedder } from '../conversation-memory/meaning.ts'
import { openTestLedger } from '../support/ledger.ts'
import { SOMEBODY } from '../support/person.ts'

const [folder, url, conversationId] = process.argv.slice(2) as [string, string, string]
const embedder = meaningEmbedder()
const storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
const conversations = new Conversations({
  person: SOMEBODY,
  storage,
  index: openSqliteIndex({ path: join(folder, 'index.db') }),
  embedder: async () => embedder,
  spend: openTestLedger(storage),
  summariser: extractiveSummariser(),
  languageModel: ollamaModel({ model: 'test-model', baseUrl: url, limits: {} }),
  sessionPlaces: sessionPlaces({}, folder),
  searchDefaults: { limit: 20, minSimilarity: 0.4 },
  notices: new Notices(({ message }) => console.error(message)),
})
const session = new ChatSession({ conversations, conversationId })
await session.send('Where does the okapi live?', { onText: () => undefined }, new AbortController().signal)
