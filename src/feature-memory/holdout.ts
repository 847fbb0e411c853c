import { sha256 } from '../text/ids.ts'

/** Half of the runs without memory is the fairest comparison there is: nobody learns more from a larger share. */
export const LARGEST_HOLDOUT = 0.5

/** Which share of the iterations on tasks goes without memory, and what the draws are made from. */
export interface Holdout {
  /** Above 0, at most 0.5. */
  share: number
  seed: string
}

/** As much of a hash as a number holds exactly. */
const DIGITS = 13
const LARGEST = 16 ** DIGITS

/**
 * Whether this iteration of the feature goes without memory. The same for whoever draws again, so that nobody can choose,
 * a loop that was killed goes on as it would have, and anybody can check it.
 */
export function isDrawn({ share, seed }: Holdout, feature: string, iteration: number): boolean {
  return numberDrawn(seed, feature, iteration) < share
}

/** At least 0 and below 1, each as likely as any other. */
function numberDrawn(seed: string, feature: string, iteration: number): number {
  const hash = sha256(JSON.stringify([seed, feature, iteration]))
  return Number.parseInt(hash.slice(0, DIGITS), 16) / LARGEST
}
