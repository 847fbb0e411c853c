/** Fusion may put a document first that neither meaning nor words alone had there. */
const CANDIDATES_PER_RESULT = 2
const FEWEST_CANDIDATES = 30

/** How many documents a driver gathers by meaning, and how many by words, for a caller who wants `limit` results. */
export function candidatesFor(limit: number): number {
  return Math.max(FEWEST_CANDIDATES, limit * CANDIDATES_PER_RESULT)
}
