/**
 * Stands for text without any content: unit length like all vectors, yet close to none that a model makes, whose
 * length is spread over hundreds of dimensions. Services refuse blank text or answer with nothing.
 */
export function blankVector(dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = 1
  return vector
}

export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Embeds the texts that say something, and puts blank vectors in the places of the others. */
export async function embedNonBlank(
  texts: readonly string[],
  dimensions: number,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const telling = texts.filter((text) => !isBlank(text))
  const vectors = telling.length === 0 ? [] : await embed(telling)
  let next = 0
  return texts.map((text) => (isBlank(text) ? blankVector(dimensions) : vectors[next++]!))
}
