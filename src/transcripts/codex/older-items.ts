import { asObject, asString, type JsonObject } from '../../text/json.ts'

/** What older versions tell in events about calls that the program carried out, in the form of today's items. */
export function olderItem(event: JsonObject): JsonObject | undefined {
  const id = asString(event['call_id'])
  switch (event['type']) {
    case 'exec_command_end':
      return { ...event, id, type: 'CommandExecution' }
    case 'patch_apply_end':
      return { ...event, id, type: 'FileChange', status: event['success'] === false ? 'failed' : 'completed' }
    case 'mcp_tool_call_end':
      return { ...mcpItem(event), id, type: 'McpToolCall' }
    case 'web_search_end':
      return { ...event, id, type: 'WebSearch', status: 'completed' }
    default:
      return undefined
  }
}

/** The result is `{Ok: …}` or `{Err: words}`. */
function mcpItem(event: JsonObject): JsonObject {
  const answer = asObject(event['result'])
  const result = asObject(answer?.['Ok']) ?? answer
  const error = asString(answer?.['Err'])
  const failed = error !== undefined || result?.['isError'] === true || result?.['is_error'] === true
  return { ...asObject(event['invocation']), result, error, status: failed ? 'failed' : 'completed' }
}
