import { asObject, asString, type JsonObject } from '../../text/json.ts'

const LINE_TYPES = new Set([
  'session_meta',
  'turn_context',
  'event_msg',
  'response_item',
  'compacted',
  'token_usage_record',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
])

export function isRolloutLine(line: JsonObject): boolean {
  return (
    LINE_TYPES.has(String(line['type'])) &&
    asObject(line['payload']) !== undefined &&
    asString(line['timestamp']) !== undefined
  )
}

/** The parent of a sub-agent's thread, by the beginning of its rollout. */
export function parentThread(meta: JsonObject): string | undefined {
  const spawn = asObject(asObject(asObject(meta['source'])?.['subagent'])?.['thread_spawn'])
  return asString(meta['parent_thread_id']) ?? asString(spawn?.['parent_thread_id'])
}

/** Reviews and the like have no parent that they name. */
export function isSubAgent(meta: JsonObject): boolean {
  const source = asObject(meta['source'])
  return (
    parentThread(meta) !== undefined ||
    source?.['subagent'] !== undefined ||
    meta['thread_source'] === 'subagent'
  )
}
