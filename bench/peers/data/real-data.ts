import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openLocalEmbedder } from '../../../src/embedding/local.ts'
import {
  type DocumentLine,
  missing,
  type QuestionLine,
  readData,
  readLines,
} from '../../../test/quality/data.ts'
import { DIMENSIONS } from '../peer.ts'
import { DataSet, EXTRA } from './data-set.ts'

const SIZE = 10_000
const QUESTIONS = 100
const LONGEST = 600
const NEEDS = [
  'commands-nl2bash/documents.jsonl',
  'commands-nl2bash/queries.jsonl',
  'failures-clippy/documents.jsonl',
  'sessions-entire/documents.jsonl',
  'locomo/conversations.json',
  'polarity/sick-pairs.jsonl',
]

/** Why there are no real texts here, or undefined. */
export function missingTexts(): string | undefined {
  return missing(NEEDS)
}

/** Real texts (commands, lints, sessions, conversations, sentences) with the vectors that the local model makes of them. */
export async function makeRealData(folder: string): Promise<DataSet> {
  mkdirSync(folder, { recursive: true })
  const texts = realTexts().slice(0, SIZE + EXTRA)
  const asked = readLines<QuestionLine>('commands-nl2bash/queries.jsonl').slice(0, QUESTIONS)
  const embedder = await openLocalEmbedder({ cacheDir: join(folder, '..', 'model') })
  try {
    const vectors = new Float32Array(texts.length * DIMENSIONS)
    for (let from = 0; from < texts.length; from += embedder.maxBatch) {
      const made = await embedder.embed(texts.slice(from, from + embedder.maxBatch), 'document')
      for (const [at, vector] of made.entries()) vectors.set(vector, (from + at) * DIMENSIONS)
    }
    const questions = await embedder.embed(
      asked.map(({ text }) => text),
      'query',
    )
    return DataSet.write(folder, {
      texts: texts.map((body, at) => ({ title: `Text ${at}`, body })),
      vectors,
      questions: asked.map(({ text }, at) => ({ text, vector: questions[at]! })),
    })
  } finally {
    await embedder.close()
  }
}

/** Each once, cut where a model stops reading; sorted by nothing, so that all kinds are among the first. */
function realTexts(): string[] {
  const documents = ['commands-nl2bash', 'failures-clippy', 'sessions-entire'].flatMap((set) =>
    readLines<DocumentLine & { prompts?: string }>(`${set}/documents.jsonl`).map(
      ({ text, prompts }) => text ?? prompts ?? '',
    ),
  )
  const conversations = JSON.parse(readData('locomo/conversations.json')) as { conversation: object }[]
  const turns = conversations.flatMap(({ conversation }) =>
    Object.values(conversation).flatMap((part) =>
      Array.isArray(part) ? part.map((turn: { text?: string }) => turn.text ?? '') : [],
    ),
  )
  const sentences = readLines<{ a: string; b: string }>('polarity/sick-pairs.jsonl').flatMap(({ a, b }) => [
    a,
    b,
  ])
  const kinds = [documents, turns, sentences]
  const mixed = Array.from({ length: Math.max(...kinds.map(({ length }) => length)) }, (_, at) =>
    kinds.flatMap((kind) => kind[at] ?? []),
  ).flat()
  return [...new Set(mixed.map((text) => text.trim().slice(0, LONGEST)).filter((text) => text !== ''))]
}
