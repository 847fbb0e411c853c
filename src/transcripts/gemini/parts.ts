import { asArray, asObject, asString, type JsonObject, objects, parseObject } from '../../text/json.ts'

/** What programs put into a person's message or behind a result for the model to read: nobody's words. */
const INSERTION = /<(hook_context|session_context|system-reminder|qwen:[a-z-]+)>/g

/** The parts of a message of Gemini's API; a plain string is one text. */
export function messageParts(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ text: content }]
  return objects(Array.isArray(content) ? content : [content])
}

/** What was said: thoughts are not. */
export function textOf(parts: readonly JsonObject[]): string {
  return parts
    .filter((part) => part['thought'] !== true)
    .map((part) => asString(part['text']) ?? '')
    .join('')
}

/** What a person typed, each part on lines of its own; empty where the message is the program's. */
export function typedText(parts: readonly JsonObject[]): string {
  return parts
    .map((part) => withoutInsertions(asString(part['text']) ?? '').trim())
    .filter(Boolean)
    .join('\n')
}

function withoutInsertions(text: string): string {
  let kept = ''
  let at = 0
  const unclosed = new Set<string>()
  for (const { 0: opening, 1: name = '', index } of text.matchAll(INSERTION)) {
    if (index < at || unclosed.has(name)) continue
    const end = text.indexOf(`</${name}>`, index)
    if (end === -1) {
      unclosed.add(name)
      continue
    }
    kept += text.slice(at, index)
    at = end + opening.length + 1
  }
  return kept + text.slice(at)
}

/** What a tool answered, as the model got it. */
interface ToolAnswer {
  id: string | undefined
  isError: boolean
  text: string
}

/** The results of tools among the parts. */
export function toolAnswers(parts: readonly JsonObject[]): ToolAnswer[] {
  return objects(parts.map((part) => part['functionResponse'])).map((answer) => {
    const response = asObject(answer['response']) ?? {}
    const isError = response['error'] !== undefined
    return {
      id: asString(answer['id']),
      isError,
      text: answerText(isError ? response['error'] : response['output']),
    }
  })
}

function answerText(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = asString(value) ?? asString(asObject(value)?.['message']) ?? JSON.stringify(value)
  return serversWords(unwrapped(text))
}

/** Answers from outside are marked for the model. */
function unwrapped(text: string): string {
  const told = withoutInsertions(text)
  const inside = /^<untrusted_context>\n?([\s\S]*?)\n?<\/untrusted_context>\s*$/.exec(told)
  return inside?.[1] ?? told
}

/** The failure of an MCP tool is told with the whole call around it: what its server said is enough. */
export function serversWords(text: string): string {
  const at = text.startsWith('MCP tool ') ? text.indexOf(' with response: ') : -1
  if (at === -1) return text
  // A list of parts; as the value of an object it is read like any other.
  const parts = parseObject(`{"parts":${text.slice(at + ' with response: '.length)}}`)?.['parts']
  const said = objects(asArray(parts)).flatMap((part) => {
    const response = asObject(asObject(part['functionResponse'])?.['response'])
    return textOf(objects(asArray(response?.['content'])))
  })
  return said.join('\n') || text
}
