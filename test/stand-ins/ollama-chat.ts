import { type Answered, type Dialect, json, pieces, type SeenRequest } from './model-service.ts'

/** Ollama's chat endpoint: no key, one JSON object per line while streaming, counts only in the last. */
export const ollamaChat: Dialect = {
  isChat: (path) => path === '/api/chat',
  models(path, known) {
    if (path !== '/api/tags') return undefined
    return { status: 200, body: { models: known.map((name) => ({ name, model: name, size: 1 })) } }
  },
  error: (status, message) => ({
    error: status === 404 ? `model not found, try pulling it: ${message}` : message,
  }),
  validate({ body }) {
    if (!Array.isArray(body['messages'])) return 'messages required'
    for (const { role } of body['messages'] as { role: string }[]) {
      if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `invalid role: ${role}`
    }
    return undefined
  },
  answer(response, request, answered) {
    if (answered.broken === 'shape') return json(response, 200, { model: 'x', message: null, done: true })
    if (!request.body['stream']) return json(response, 200, part(request, answered, answered.text, true))
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const piece of pieces(answered.text)) {
      response.write(`${JSON.stringify(part(request, answered, piece, false))}\n`)
    }
    if (answered.broken === 'half') return void response.end()
    response.end(`${JSON.stringify(part(request, answered, '', true))}\n`)
  },
}

function part(request: SeenRequest, { call, tokens, stop }: Answered, content: string, done: boolean) {
  return {
    model: request.body['model'],
    created_at: '2026-01-01T00:00:00Z',
    message: {
      role: 'assistant',
      content,
      ...(call && done && { tool_calls: [{ function: { name: call.name, arguments: call.input } }] }),
    },
    done,
    ...(done && {
      done_reason: stop === 'length' ? 'length' : 'stop',
      prompt_eval_count: tokens.input,
      eval_count: tokens.output,
    }),
  }
}
