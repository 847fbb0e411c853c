/**
 * With how many exchanges a conversation has outgrown a summary that covers `covered` of them. A summary of most of a
 * conversation will do: each re-reading by a model costs money.
 */
export function outgrownAt(covered: number): number {
  return Math.ceil((covered * 6) / 5)
}
