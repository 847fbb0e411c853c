import { fileURLToPath } from 'node:url'
import { asArray, asNumber, asObject, asString, type JsonObject, objects, strings } from '../../text/json.ts'
import type { CallOutcome } from '../call-outcome.ts'
import type { CallResult } from '../events.ts'
import { scriptIn, scriptOfWords } from './command-line.ts'
import { type CallEvent, type CallFrame, changeCall, fileChanges, shellCall, toolCall } from './tools.ts'

/** What an item of a thread is: `CommandExecution` in a rollout, `command_execution` in the stream. */
export function itemType(item: JsonObject): string {
  return (asString(item['type']) ?? '').replaceAll('_', '').toLowerCase()
}

/** The call that an item tells of; undefined for what is none. */
export function itemCall(id: string, item: JsonObject, frame: CallFrame): CallEvent | undefined {
  switch (itemType(item)) {
    case 'commandexecution': {
      // What a person typed into the shell, or into a program that runs already, is no command of the agent.
      if (/user_shell|interaction/.test(asString(item['source']) ?? '')) return undefined
      const line = asString(item['command'])
      const command = line === undefined ? scriptOfWords(strings(item['command'])) : scriptIn(line)
      return shellCall(id, command, folderOf(asString(item['cwd'])), frame)
    }
    case 'filechange':
      return changeCall(id, fileChanges(item['changes']), frame)
    case 'mcptoolcall': {
      const name = `mcp__${asString(item['server']) ?? ''}__${asString(item['tool']) ?? ''}`
      return toolCall(id, name, asObject(item['arguments']) ?? {}, frame)
    }
    case 'dynamictoolcall':
      return toolCall(id, asString(item['tool']) ?? '', asObject(item['arguments']) ?? {}, frame)
    case 'collabtoolcall':
    case 'collabagenttoolcall':
      return toolCall(id, asString(item['tool']) ?? 'agent', item, frame)
    case 'websearch':
      return toolCall(id, 'web_search', item, frame)
    case 'imageview':
      return toolCall(id, 'view_image', item, frame)
    default:
      return undefined
  }
}

/** What came of it. `stopped`: the turn was interrupted while it ran. */
export function itemResult(item: JsonObject, stopped: boolean): CallResult {
  const status = asString(item['status'])
  const exitCode = asNumber(item['exit_code']) ?? asNumber(item['exitCode'])
  const unfinished = (stopped && exitCode === -1) || status === 'in_progress'
  const changes = itemType(item) === 'filechange' ? fileChanges(item['changes']) : undefined
  const structured: CallOutcome = { exitCode: unfinished ? undefined : exitCode, changes, unfinished }
  const isError = !unfinished && (status === 'failed' || status === 'declined')
  return { isError, text: itemText(item), structured }
}

function itemText(item: JsonObject): string {
  const output = asString(item['aggregated_output']) ?? asString(item['formatted_output'])
  // A terminal ends its lines in its own way.
  if (output !== undefined) return output.replaceAll('\r\n', '\n')
  const printed = [asString(item['stderr']), asString(item['stdout'])].filter(Boolean).join('\n')
  if (printed) return printed
  const error = asString(item['error']) ?? asString(asObject(item['error'])?.['message'])
  const content = asObject(item['result'])?.['content'] ?? item['content_items']
  return error ?? (contentText(content) || agentWords(item['agents_states']))
}

/** The texts of a list of parts. */
export function contentText(content: unknown): string {
  return objects(asArray(content))
    .map((part) => asString(part['text']) ?? '')
    .filter(Boolean)
    .join('\n')
}

/** What sub-agents answered: `{status, message}` in the stream, `{completed: words}` in a rollout. */
function agentWords(states: unknown): string {
  return objects(Object.values(asObject(states) ?? {}))
    .map(
      (state) =>
        asString(state['message']) ?? asString(state['completed']) ?? asString(state['errored']) ?? '',
    )
    .filter(Boolean)
    .join('\n')
}

function folderOf(cwd: string | undefined): string | undefined {
  if (!cwd?.startsWith('file:')) return cwd
  try {
    return fileURLToPath(cwd)
  } catch {
    // An address of another kind of machine: the path is in it all the same.
    return cwd.replace(/^file:\/\/(?=\/)/, '').replace(/^\/(?=[A-Za-z]:)/, '')
  }
}
