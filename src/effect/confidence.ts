/** How often, at most, anything is claimed of a memory that makes no difference: over all measures and all looks together. */
export const FALSE_CLAIMS = 0.05

/**
 * From which information on the boundary is tight: some ten runs on each side. Fixed beforehand: chosen after looking at the
 * runs, the interval would not hold.
 */
const TIGHTEST_FROM = 2

/** A difference as large as is asked for is seen four times out of five. */
const NORMAL_AT_80_PERCENT = 0.84
/** Nobody waits for more. */
const MOST_TIMES = 1_000_000

/**
 * How many standard errors an interval reaches to either side, so that it holds at every look at once and not only at one
 * that was fixed beforehand: the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform
 * central limit theory and asymptotic confidence sequences" (Annals of Statistics, 2024), which mixes over a normal.
 */
export function standardErrorsEachWay(information: number, falseClaims: number): number {
  const grown = information / TIGHTEST_FROM
  return Math.sqrt((1 + 1 / grown) * Math.log((1 + grown) / falseClaims ** 2))
}

/** How many times as much information would show a difference of this size, most of the time. */
export function timesAsMuch(
  difference: number,
  { standardError, information }: { standardError: number; information: number },
  falseClaims: number,
): number {
  const isEnough = (times: number) =>
    (standardErrorsEachWay(information * times, falseClaims) + NORMAL_AT_80_PERCENT) *
      (standardError / Math.sqrt(times)) <=
    difference
  let [tooFew, enough] = [1, 1]
  while (!isEnough(enough) && enough < MOST_TIMES) [tooFew, enough] = [enough, enough * 2]
  for (let step = 0; step < 20; step++) {
    const middle = (tooFew + enough) / 2
    if (isEnough(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
