/** "+2", "−1", "0". */
export function balance(votes: number): string {
  return votes > 0 ? `+${votes}` : votes < 0 ? `−${-votes}` : '0'
}
