/** Runs the workers of conversation memory until it is killed: `node worker-process.ts FOLDER MODEL_URL`. */
import { join } from 'node:path'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import { openAiModel } from '../../src/language-model/openai.ts'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import { Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { openTestLedger } from '../support/ledger.ts'
import { SOMEBODY } from '../support/person.ts'
import { meaningEmbedder } from './meaning.ts'

const [folder, url] = process.argv.slice(2) as [string, string]
const embedder = meaningEmbedder()
const storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
const spend = openTestLedger(storage, { limits: { workersUsd: 1 } })
const conversations = new Conversations({
  person: SOMEBODY,
  storage,
  index: openSqliteIndex({ path: join(folder, 'index.db') }),
  embedder: async () => embedder,
  spend,
  summariser: promptedSummariser(
    openAiModel({
      model: 'test-model',
      apiKey: 'k',
      baseUrl: `${url}/v1`,
      maxRetries: 0,
      prices: { 'test-model': { input: 1, output: 5 } },
      calls: spend,
    }),
  ),
  sessionPlaces: sessionPlaces({}, folder),
  searchDefaults: { limit: 20, minSimilarity: 0.4 },
  notices: new Notices(({ message }) => console.error(message)),
})
conversations.workers.start()
console.log('running')
