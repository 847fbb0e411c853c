/** Exactly the nearest of each question by dot product, of vectors of unit length that lie end to end. The nearest first. */
export function nearestOf(
  vectors: Float32Array,
  questions: readonly Float32Array[],
  count: number,
): number[][] {
  return questions.map((question) => {
    const best: { at: number; likeness: number }[] = []
    for (let at = 0; at * question.length < vectors.length; at++) {
      let likeness = 0
      const from = at * question.length
      for (let step = 0; step < question.length; step++) likeness += question[step]! * vectors[from + step]!
      if (best.length === count && likeness <= best.at(-1)!.likeness) continue
      const place = best.findIndex((one) => one.likeness < likeness)
      best.splice(place < 0 ? best.length : place, 0, { at, likeness })
      best.length = Math.min(best.length, count)
    }
    return best.map(({ at }) => at)
  })
}

/** Of what exact search finds, how much was found, on average over the questions. */
export function recallOf(
  exact: readonly (readonly number[])[],
  found: readonly (readonly number[])[],
): number {
  const shares = exact.map((wanted, at) => {
    const got = new Set(found[at])
    return wanted.filter((one) => got.has(one)).length / wanted.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}
