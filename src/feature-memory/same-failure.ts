/** Whether two failures reported the same, by their signatures. */
export function isSameFailure(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((signature) => other.includes(signature))
}
