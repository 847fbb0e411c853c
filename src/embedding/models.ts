/** What is known about the models people use, so that no server has to be asked. */
export interface KnownModel {
  dimensions?: number
  /** Longest input in tokens. */
  context: number
  /** Put before texts: some models are trained to tell questions from documents by it. */
  prefixes?: { query: string; document: string }
  /** Dollars per million tokens. */
  price?: number
}

const NOMIC = { query: 'search_query: ', document: 'search_document: ' }
const PASSAGES = { query: 'Represent this sentence for searching relevant passages: ', document: '' }

const OLLAMA: Readonly<Record<string, KnownModel>> = {
  'nomic-embed-text': { dimensions: 768, context: 2048, prefixes: NOMIC },
  'nomic-embed-text-v2-moe': { dimensions: 768, context: 512, prefixes: NOMIC },
  'mxbai-embed-large': { dimensions: 1024, context: 512, prefixes: PASSAGES },
  'snowflake-arctic-embed': { context: 512, prefixes: PASSAGES },
  'snowflake-arctic-embed2': { context: 8192, prefixes: { query: 'query: ', document: '' } },
  'bge-large': { dimensions: 1024, context: 512, prefixes: PASSAGES },
  'bge-m3': { dimensions: 1024, context: 8192 },
  'all-minilm': { context: 256 },
  embeddinggemma: {
    dimensions: 768,
    context: 2048,
    prefixes: { query: 'task: search result | query: ', document: 'title: none | text: ' },
  },
}

/** Prices of November 2026. */
const OPENAI: Readonly<Record<string, KnownModel>> = {
  'text-embedding-3-small': { dimensions: 1536, context: 8191, price: 0.02 },
  'text-embedding-3-large': { dimensions: 3072, context: 8191, price: 0.13 },
  'text-embedding-ada-002': { dimensions: 1536, context: 8191, price: 0.1 },
}

const UNKNOWN: KnownModel = { context: 2048 }

/** `someone/nomic-embed-text:v1.5` is nomic-embed-text to us. */
export function knownOllamaModel(name: string): KnownModel {
  const bare = name.toLowerCase().replace(/^.*\//, '').replace(/:.*$/, '')
  return OLLAMA[bare] ?? UNKNOWN
}

export function knownOpenAiModel(name: string): KnownModel {
  return OPENAI[name] ?? UNKNOWN
}
