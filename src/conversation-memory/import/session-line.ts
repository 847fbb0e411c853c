/** A line of a session file before anybody has looked into it. */
export type JsonObject = Record<string, unknown>

/** What a line tells of the conversation; other kinds of event may come along and are passed over. */
export type SessionEvent =
  | { kind: 'prompt'; text: string }
  | { kind: 'text'; text: string }
  | {
      kind: 'call'
      call: { id: string; name: string; command: string | undefined; paths: readonly string[] }
    }
  | { kind: 'call_result'; id: string; result: { isError: boolean; text: string } }
  /** The output limit cut the answer; the next text continues it. */
  | { kind: 'continued' }
  | { kind: 'interrupted' }
  | { kind: 'api_failure'; text: string }

/**
 * Reads the lines of an agent's session files. Feature memory has one for Claude Code; memories do not know each
 * other, so whoever opens them hands it over.
 */
export interface SessionLineReader {
  isSessionLine(line: JsonObject): boolean
  decode(line: JsonObject): {
    events: readonly (SessionEvent | { kind: unknown })[]
    timestamp?: string | undefined
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
