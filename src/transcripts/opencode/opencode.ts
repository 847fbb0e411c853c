import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { AgentFormat } from '../agent-format.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { exportedLines, isStoredLine, StoredSessionDecoder } from './session.ts'
import { PartStreamDecoder } from './stream.ts'
import { settlePart } from './tools.ts'

/** opencode: the output of `opencode run --format json`, sessions in its database or older files, and `opencode export`. */
export const opencode: AgentFormat = {
  agent: 'opencode',
  formatOf: (line) => (isStoredLine(line) ? 'session' : isStreamLine(line) ? 'stream-json' : undefined),
  decoder: (format, limits) =>
    format === 'session' ? new StoredSessionDecoder(limits) : new PartStreamDecoder(limits),
  settle: settlePart,
  exchanges: (path) =>
    new DecodedExchanges(new StoredSessionDecoder(COLLECT_LIMITS, { helpers: false }), path),
  document: exportedLines,
  // Only who has such sessions pays for loading a database.
  stored: async (address) => {
    if (!/\bses_\w+(?:\.json)?$/.test(address)) return undefined
    return (await import('./stored-session.ts')).storedSession(address)
  },
  parent: async (path, parentId) => path.replace(/ses_\w+(?=(?:\.json)?$)/, parentId),
}

/** Every line names its session in the form that only opencode gives to names, and holds a part of a message or an error. */
function isStreamLine(line: JsonObject): boolean {
  if (asString(line['type']) === undefined || !asString(line['sessionID'])?.startsWith('ses_')) return false
  return asObject(line['part']) !== undefined || asObject(line['error']) !== undefined
}
