const MOST_ITERATIONS = 5

/** The name under which a session is told an error once, whichever hook comes to it first. */
export function errorKey(signature: string): string {
  return `error ${signature}`
}

/** What a run said about its work. */
export function runKey(iteration: number): string {
  return `iteration ${iteration}`
}

export function conversationKey(id: string): string {
  return `conversation ${id}`
}

/** What the session is one more about: told once, whatever comes up later. */
export const TOPIC_KEY = 'topic'

/** "iteration 4", "iterations 2 and 4". */
export function iterations(numbers: readonly number[]): string {
  const shown = numbers.slice(-MOST_ITERATIONS)
  const last = shown.at(-1)
  return shown.length > 1 ? `iterations ${shown.slice(0, -1).join(', ')} and ${last}` : `iteration ${last}`
}
