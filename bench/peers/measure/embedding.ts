import { join } from 'node:path'
import { openLocalEmbedder } from '../../../src/embedding/local.ts'
import { median } from '../../support/figures.ts'
import { RandomTexts } from '../../support/random-texts.ts'
import type { EmbeddingFigures } from '../report/figures.ts'

const QUESTIONS = 30
const TEXTS = 64

/** What no peer has with it: the local model, on both runtimes that it has. Warm. */
export async function measureEmbedding(scratch: string): Promise<EmbeddingFigures[]> {
  return [await withRuntime('onnx', scratch), await withRuntime('wasm', scratch)]
}

async function withRuntime(runtime: 'onnx' | 'wasm', scratch: string): Promise<EmbeddingFigures> {
  const embedder = await openLocalEmbedder({ cacheDir: join(scratch, 'model'), runtime })
  const random = new RandomTexts(5)
  const timed = async (texts: string[], kind: 'query' | 'document') => {
    const begun = performance.now()
    await embedder.embed(texts, kind)
    return performance.now() - begun
  }
  try {
    await timed(['how do we keep people signed in?'], 'query')
    const questions: number[] = []
    for (let at = 0; at < QUESTIONS; at++) {
      questions.push(await timed([`why did the migration of the users table fail ${at}`], 'query'))
    }
    const texts = Array.from({ length: TEXTS }, () => random.text(40))
    await timed(texts.slice(0, TEXTS / 4), 'document')
    const batch = await timed(texts, 'document')
    return { runtime, questionMs: median(questions), textsPerSecond: TEXTS / (batch / 1_000) }
  } finally {
    await embedder.close()
  }
}
