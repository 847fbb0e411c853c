import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, type Dialect, json, pieces, type SeenRequest } from './model-service.ts'

interface Chat {
  reportsUsage: boolean
  /** The only name by which it knows the length of an answer. */
  limit: 'max_tokens' | 'max_completion_tokens'
  /** What it says to requests with that in them. */
  refuses?: { [field: string]: string }
  /** Leaves out whatever a client can do without: ids, why an answer ends, the mark at its end. */
  isTerse?: boolean
}

/** Chat completions as documented: bearer key, tool messages that answer tool calls, usage only when asked for. */
export const openAiChat = chatCompletions({ reportsUsage: true, limit: 'max_completion_tokens' })
/** As servers that imitate it do, Ollama's among them. */
export const openAiCompatibleChat = chatCompletions({ reportsUsage: true, limit: 'max_tokens' })
/** As the least of them may do. */
export const bareCompatibleChat = chatCompletions({
  reportsUsage: false,
  limit: 'max_tokens',
  refuses: {
    stream_options: 'Unrecognized request argument supplied: stream_options',
    tools: 'registry.ollama.ai/library/test-model does not support tools',
    reasoning_effort: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  },
})
export const terseCompatibleChat = chatCompletions({
  reportsUsage: false,
  limit: 'max_tokens',
  isTerse: true,
})

function chatCompletions({ reportsUsage, limit, refuses = {}, isTerse = false }: Chat): Dialect {
  const dialect: Dialect = {
    isChat: (path) => path === '/v1/chat/completions',
    models({ path }, known) {
      if (path === '/v1/models') {
        const ids = [...known, 'another-model']
        return { status: 200, body: { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) } }
      }
      const id = /^\/v1\/models\/(.+)$/.exec(path)?.[1]
      if (!id) return undefined
      return known.includes(id)
        ? { status: 200, body: { id, object: 'model', created: 0, owned_by: 'stand-in' } }
        : { status: 404, body: dialect.error(404, `The model '${id}' does not exist`) }
    },
    error: (status, message) => ({ error: { message, type: 'error', param: null, code: status } }),
    validate({ headers, body }) {
      if (!/^Bearer .+/.test(headers.authorization ?? '')) return "You didn't provide an API key."
      if (limit === 'max_completion_tokens' && 'max_tokens' in body)
        return "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
      // Others pass over what they do not know; a test could not see it.
      if (!(limit in body)) return `stand-in: no ${limit} in the request`
      const refused = Object.keys(refuses).find((field) => field in body)
      if (refused) return refuses[refused]
      return complaintAbout(body['messages'])
    },
    answer(response, request, answered) {
      if (answered.broken === 'shape') return json(response, 200, { object: 'chat.completion', choices: [] })
      if (request.body['stream']) return stream(response, request, answered, { reportsUsage, isTerse })
      json(response, 200, {
        ...head(request, 'chat.completion'),
        choices: [
          {
            index: 0,
            finish_reason: finish(answered),
            logprobs: null,
            message: {
              role: 'assistant',
              content: answered.text || null,
              refusal: null,
              ...(answered.call && { tool_calls: [toolCall(answered.call)] }),
              ...(answered.think && { reasoning_content: answered.think }),
            },
          },
        ],
        ...(reportsUsage && { usage: usage(answered) }),
      })
    },
  }
  return dialect
}

function complaintAbout(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return "Invalid 'messages': empty array."
  let open: string[] = []
  for (const message of messages as {
    role: string
    tool_call_id?: string
    tool_calls?: { id: string }[]
  }[]) {
    if (!['system', 'user', 'assistant', 'tool'].includes(message.role))
      return `Invalid role: ${message.role}`
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id!)) return "messages with role 'tool' must answer 'tool_calls'."
      open = open.filter((id) => id !== message.tool_call_id)
    } else if (open.length) return "An assistant message with 'tool_calls' must be followed by tool messages."
    open = [...open, ...(message.tool_calls ?? []).map(({ id }) => id)]
  }
  return undefined
}

const head = (request: SeenRequest, object: string) => ({
  id: 'chatcmpl-1',
  object,
  created: 0,
  model: request.body['model'],
})
const finish = ({ call, stop }: Answered) =>
  call ? 'tool_calls' : stop === 'length' ? 'length' : stop === 'refused' ? 'content_filter' : 'stop'
const toolCall = ({ name, input }: NonNullable<Answered['call']>) => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
})
const usage = ({ tokens }: Answered) => ({
  prompt_tokens: tokens.input,
  completion_tokens: tokens.output,
  total_tokens: tokens.input + tokens.output,
})

async function stream(
  response: ServerResponse,
  request: SeenRequest,
  answered: Answered,
  { reportsUsage, isTerse }: { reportsUsage: boolean; isTerse: boolean },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: unknown, finishReason: string | null = null) => {
    const choice = { index: 0, delta, finish_reason: finishReason, logprobs: null }
    const piece = isTerse
      ? { choices: [{ delta }] }
      : { ...head(request, 'chat.completion.chunk'), choices: [choice] }
    response.write(`data: ${JSON.stringify(piece)}\n\n`)
  }
  const { everyMs, silentAfter, lostAfter } = answered.live ?? {}
  send({ role: 'assistant', content: '' })
  for (const [at, content] of pieces(answered.text).entries()) {
    if (at === silentAfter) return
    if (at === lostAfter) return void response.destroy()
    if (everyMs) await sleep(everyMs)
    send({ content })
  }
  if (answered.call) send({ tool_calls: [{ index: 0, ...toolCall(answered.call) }] })
  if (answered.broken === 'half') return void response.destroy()
  if (isTerse) return void response.end()
  send({}, finish(answered))
  const options = request.body['stream_options'] as { include_usage?: boolean } | undefined
  if (reportsUsage && options?.include_usage) {
    response.write(
      `data: ${JSON.stringify({ ...head(request, 'chat.completion.chunk'), choices: [], usage: usage(answered) })}\n\n`,
    )
  }
  response.end('data: [DONE]\n\n')
}
