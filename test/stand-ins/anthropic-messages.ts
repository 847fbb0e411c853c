import type { ServerResponse } from 'node:http'
import { type Answered, type Dialect, json, pieces, type SeenRequest } from './model-service.ts'

/** The Messages API as documented: headers, alternation of roles, tool results that answer tool calls. */
export const anthropicMessages: Dialect = {
  isChat: (path) => path === '/v1/messages',
  models({ path }, known) {
    const id = /^\/v1\/models\/(.+)$/.exec(path)?.[1]
    if (!id) return undefined
    return known.includes(id)
      ? { status: 200, body: { id, type: 'model', display_name: id, created_at: '2026-01-01T00:00:00Z' } }
      : { status: 404, body: anthropicMessages.error(404, `model: ${id}`) }
  },
  error(status, message) {
    const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error'
    return { type: 'error', error: { type, message } }
  },
  validate({ headers, body }) {
    // Older clients send x-api-key, newer ones a bearer token; the service takes both.
    if (!headers['x-api-key'] && !headers.authorization) return 'authentication is required'
    if (!headers['anthropic-version']) return 'anthropic-version header is required'
    if (!Number.isInteger(body['max_tokens'])) return 'max_tokens: Field required'
    return complaintAbout(body['messages'])
  },
  answer(response, request, answered) {
    if (answered.broken === 'shape') return json(response, 200, { type: 'message', content: 'oops' })
    if (request.body['stream']) return stream(response, request, answered)
    json(response, 200, message(request, answered))
  },
}

interface Block {
  type: string
  id?: string
  tool_use_id?: string
}

function complaintAbout(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  if (messages[0].role !== 'user') return 'messages: first message must use the "user" role'
  let open: string[] = []
  for (const { role, content } of messages as { role: string; content: string | Block[] }[]) {
    if (role !== 'user' && role !== 'assistant') return `messages: unexpected role "${role}"`
    if (content.length === 0) return 'messages: content must be non-empty'
    const blocks = typeof content === 'string' ? [] : content
    const answeredIds = blocks.filter(({ type }) => type === 'tool_result').map((block) => block.tool_use_id)
    if (open.some((id) => !answeredIds.includes(id)))
      return 'tool_use ids were found without tool_result blocks'
    open = blocks.filter(({ type }) => type === 'tool_use').map((block) => block.id!)
  }
  return undefined
}

function message(request: SeenRequest, { text, call, tokens, stop }: Answered) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: request.body['model'],
    content: [
      ...(text ? [{ type: 'text', text }] : []),
      ...(call ? [{ type: 'tool_use', id: 'toolu_1', ...call }] : []),
    ],
    stop_reason: call
      ? 'tool_use'
      : stop === 'length'
        ? 'max_tokens'
        : stop === 'refused'
          ? 'refusal'
          : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: tokens.input, output_tokens: tokens.output },
  }
}

function stream(response: ServerResponse, request: SeenRequest, answered: Answered): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (event: { type: string; [key: string]: unknown }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const whole = message(request, answered)
  send({ type: 'message_start', message: { ...whole, content: [], stop_reason: null } })
  let index = 0
  if (answered.text) {
    send({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
    for (const text of pieces(answered.text)) {
      send({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
    }
    send({ type: 'content_block_stop', index: index++ })
  }
  if (answered.call) {
    const { name, input } = answered.call
    send({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} },
    })
    send({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })
    send({ type: 'content_block_stop', index })
  }
  if (answered.broken === 'half') return void response.destroy()
  send({
    type: 'message_delta',
    delta: { stop_reason: whole.stop_reason, stop_sequence: null },
    usage: whole.usage,
  })
  send({ type: 'message_stop' })
  response.end()
}
