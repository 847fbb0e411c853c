/** What a question about something else reaches somewhere in a collection of so many documents, rising in both. */
export type ChanceTable = readonly (readonly [documents: number, reached: number])[]

/** Between two measured sizes chance grows with the logarithm; below the first and above the last it stays. */
export function chanceAmong(documents: number, table: ChanceTable): number {
  let [few, low] = table[0]!
  for (const [many, high] of table) {
    if (documents <= few) return low
    if (documents <= many) return low + ((high - low) * Math.log(documents / few)) / Math.log(many / few)
    ;[few, low] = [many, high]
  }
  return low
}
