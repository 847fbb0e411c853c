/**
 * How many each of several groups may show so that all together are at most `most`: small groups all they have, large
 * ones the same each.
 */
export function fairShares(sizes: readonly number[], most: number): number[] {
  const shares = new Array<number>(sizes.length).fill(0)
  const smallestFirst = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]! || a - b)
  let left = most
  for (const [done, group] of smallestFirst.entries()) {
    const share = Math.min(sizes[group]!, Math.floor(left / (sizes.length - done)))
    shares[group] = share
    left -= share
  }
  return shares
}
