import { nonsense, type Service } from '../services/service.ts'
import { tokensAtMost } from '../text/token-bound.ts'

/**
 * Stands for text without any content: unit length like all vectors, yet close to none that a model makes, whose
 * length is spread over hundreds of dimensions. Services refuse blank text or answer with nothing.
 */
export function blankVector(dimensions: number): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions)
  vector[0] = 1
  return vector
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Embeds the texts that say something, and puts blank vectors in the places of the others. */
export function embedNonBlank(
  texts: readonly string[],
  dimensions: number,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  return ofNonBlank(texts, () => blankVector(dimensions), embed)
}

/** What is made of the texts that say something, and `blank` in the places of the others. */
export async function ofNonBlank<Made>(
  texts: readonly string[],
  blank: () => Made,
  make: (texts: readonly string[]) => Promise<Made[]>,
): Promise<Made[]> {
  const telling = texts.filter((text) => !isBlank(text))
  const made = telling.length === 0 ? [] : await make(telling)
  let next = 0
  return texts.map((text) => (isBlank(text) ? blank() : made[next++]!))
}

export interface ExpectedVectors {
  count: number
  /** Undefined when the answer itself tells. */
  dimensions: number | undefined
}

/** What a service gave for vectors, checked and brought to unit length. */
export function readVectors(
  values: readonly unknown[],
  { count, dimensions }: ExpectedVectors,
  service: Service,
): Float32Array[] {
  if (values.length !== count) throw nonsense(service, `${values.length} vectors for ${count} texts`)
  const vectors = values.map((value) => toUnitVector(value, service))
  const expected = dimensions ?? vectors[0]?.length
  for (const { length } of vectors)
    if (length !== expected) throw nonsense(service, `${length} dimensions where ${expected} belong`)
  return vectors
}

function toUnitVector(value: unknown, service: Service): Float32Array {
  // Servers write null for numbers that are none, which would pass for zero.
  const isVector = Array.isArray(value) && value.every((component) => typeof component === 'number')
  if (!isVector) throw nonsense(service, 'something that is no vector')
  const vector = Float32Array.from(value)
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0) throw nonsense(service, 'a vector without length')
  return vector.map((component) => component / length)
}

/** Neighbouring texts together, as long as neither their number nor their tokens grow too large for one request. */
export function splitByTokens(texts: readonly string[], maxTexts: number, maxTokens: number): string[][] {
  const parts: string[][] = []
  let tokens = 0
  for (const text of texts) {
    const more = tokensAtMost(text)
    const part = parts.at(-1)
    if (part && part.length < maxTexts && tokens + more <= maxTokens) {
      part.push(text)
      tokens += more
    } else {
      parts.push([text])
      tokens = more
    }
  }
  return parts
}

/** At most, where a service does not count them. */
export function tokensOfAll(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + tokensAtMost(text), 0)
}

/** The beginning of a text that surely has at most so many tokens. */
export function cutToTokens(text: string, max: number): string {
  let cut = text.slice(0, max * 6).toWellFormed()
  for (let tokens = tokensAtMost(cut); tokens > max; tokens = tokensAtMost(cut))
    cut = cut.slice(0, Math.floor((cut.length * max * 0.95) / tokens)).toWellFormed()
  return cut
}
