import { closeSync, createReadStream, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DIMENSIONS, type Document, type Question } from '../peer.ts'
import { nearestOf } from './nearest.ts'

/** Documents beyond those that a store is filled with: to be inserted one by one. */
export const EXTRA = 100
/** How many of the nearest are compared. */
export const NEAREST = 10

export interface AskedQuestion extends Question {
  /** The document that it is about, where it is about one. */
  meant?: number
  /** Exactly the nearest by meaning, the nearest first. */
  nearest: number[]
}

export interface Written {
  title: string
  body: string
}

/** The same texts and vectors for every store, in files: no process has to hold them all. */
export class DataSet {
  readonly folder: string
  readonly size: number

  constructor(folder: string) {
    this.folder = folder
    const { size } = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as { size: number }
    this.size = size
  }

  /** Writes what `DataSet` reads; `vectors` end to end, those of extra documents at the end. */
  static write(
    folder: string,
    made: { texts: readonly Written[]; vectors: Float32Array; questions: readonly AskedBy[] },
  ): DataSet {
    const size = made.texts.length - EXTRA
    const nearest = nearestOf(
      made.vectors.subarray(0, size * DIMENSIONS),
      made.questions.map(({ vector }) => vector),
      NEAREST,
    )
    const questions = made.questions.map((one, at) => ({
      ...one,
      vector: Array.from(one.vector),
      nearest: nearest[at],
    }))
    writeFileSync(join(folder, 'vectors'), new Uint8Array(made.vectors.buffer))
    writeFileSync(join(folder, 'texts.jsonl'), made.texts.map((one) => `${JSON.stringify(one)}\n`).join(''))
    writeFileSync(join(folder, 'questions.json'), JSON.stringify(questions))
    writeFileSync(join(folder, 'about.json'), JSON.stringify({ size }))
    return new DataSet(folder)
  }

  questions(): AskedQuestion[] {
    const kept = JSON.parse(readFileSync(join(this.folder, 'questions.json'), 'utf8')) as (AskedQuestion & {
      vector: number[]
    })[]
    return kept.map((one) => ({ ...one, vector: Float32Array.from(one.vector) }))
  }

  /** All but the extra ones, so many at a time. */
  async *batches(count: number): AsyncGenerator<Document[]> {
    let batch: Document[] = []
    for await (const document of this.#documents()) {
      if (document.at >= this.size) break
      batch.push(document)
      if (batch.length === count) {
        yield batch
        batch = []
      }
    }
    if (batch.length > 0) yield batch
  }

  async extra(): Promise<Document[]> {
    const documents: Document[] = []
    for await (const document of this.#documents()) if (document.at >= this.size) documents.push(document)
    return documents
  }

  async *#documents(): AsyncGenerator<Document> {
    const vectors = openSync(join(this.folder, 'vectors'), 'r')
    const lines = createInterface({ input: createReadStream(join(this.folder, 'texts.jsonl')) })
    try {
      let at = 0
      for await (const line of lines) {
        const vector = new Float32Array(DIMENSIONS)
        readSync(vectors, vector, 0, vector.byteLength, at * vector.byteLength)
        yield { at, ...(JSON.parse(line) as Written), vector }
        at++
      }
    } finally {
      lines.close()
      closeSync(vectors)
    }
  }
}

type AskedBy = Omit<AskedQuestion, 'nearest'>
