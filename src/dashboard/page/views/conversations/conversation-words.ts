/** A conversation is other programs' by its id, which may hold any character: in an address it stands behind the mark. */
export function conversationAddress(id: string): string {
  return `/conversations/one?${new URLSearchParams({ id })}`
}

export function exchangeAddress(id: string): string {
  return `/conversations/exchange?${new URLSearchParams({ id })}`
}

/** "+2", "−1", "0". */
export function balance(votes: number): string {
  return votes > 0 ? `+${votes}` : votes < 0 ? `−${-votes}` : '0'
}
