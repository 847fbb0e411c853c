import { describeEmbedder } from '../contracts/embedder.ts'
import { meaningEmbedder } from '../conversation-memory/meaning.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'

// Other tests believe what these two say, so they keep the promises of a real one.
describeEmbedder('hashed words, for tests', async () => new FakeEmbedder(), { understands: false })
describeEmbedder('words and synonyms, for tests', async () => meaningEmbedder(), { understands: false })
