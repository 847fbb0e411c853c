import { mkdirSync } from 'node:fs'
import { RandomTexts } from '../../support/random-texts.ts'
import { DIMENSIONS } from '../peer.ts'
import { DataSet, EXTRA } from './data-set.ts'

/** Documents of one topic: as many as a piece of work has. */
const A_TOPIC = 50
const BODY_WORDS = 35
const TITLE_WORDS = 5
const ASKED_WORDS = 5
/** What a question adds of its own to the meaning of the document that it is about: a cosine of some 0.83. */
const ASKED_NOISE = 0.67
const QUESTIONS = 110

export type Meaning = 'neighbourhoods' | 'random'

/**
 * Texts whose words follow Zipf's law. Vectors lie in neighbourhoods, as those of texts do (a document is half topic, half its own: two
 * of a topic have a cosine of 0.5, others of 0), or, `random`, in any direction. A question is five words as they stand
 * in one document and a vector near to that document's.
 */
export function makeData(folder: string, size: number, meaning: Meaning = 'neighbourhoods'): DataSet {
  mkdirSync(folder, { recursive: true })
  const random = new RandomTexts(7)
  const topics = Array.from({ length: Math.ceil(size / A_TOPIC) }, () => random.vector(DIMENSIONS))
  const vectors = new Float32Array((size + EXTRA) * DIMENSIONS)
  const texts = Array.from({ length: size + EXTRA }, (_, at) => {
    const own = random.vector(DIMENSIONS)
    const topic = topics[(at * 7_919) % topics.length]!
    vectors.set(meaning === 'random' ? own : between(topic, own, 1), at * DIMENSIONS)
    return { title: `Task ${at}: ${random.text(TITLE_WORDS)}`, body: random.text(BODY_WORDS) }
  })
  const questions = Array.from({ length: QUESTIONS }, (_, number) => {
    const meant = Math.floor(((number + 0.5) * size) / QUESTIONS)
    const words = texts[meant]!.body.split(' ')
    const from = (number * 5) % (BODY_WORDS - ASKED_WORDS)
    const vector = vectors.subarray(meant * DIMENSIONS, (meant + 1) * DIMENSIONS)
    return {
      text: words.slice(from, from + ASKED_WORDS).join(' '),
      vector: between(vector, random.vector(DIMENSIONS), ASKED_NOISE),
      meant,
    }
  })
  return DataSet.write(folder, { texts, vectors, questions })
}

function between(one: Float32Array, other: Float32Array, weight: number): Float32Array {
  const sum = one.map((value, at) => value + weight * other[at]!)
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0))
  return sum.map((value) => value / length)
}
