import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, type Dialect, json, pieces, type Reply, type SeenRequest } from './model-service.ts'
import { answerAbout, modelNamed, type OllamaModel, refusedName } from './ollama-models.ts'

const TEST_MODEL: OllamaModel = { name: 'test-model', capabilities: ['completion', 'tools'] }
/** Unless the request says otherwise. */
const DEFAULT_CONTEXT = 4_096
/** So often a token may follow itself; then the answer ends where it is, without its last part. */
const MOST_REPEATS = 30

/** Ollama's chat endpoint: no key, one JSON object per line while streaming, counts only in the last. One at a time. */
export function ollamaChatWith(models: readonly OllamaModel[]): Dialect {
  let turn: Promise<void> = Promise.resolve()
  const loaded = new Map<OllamaModel, number>()
  return {
    isChat: (path) => path === '/api/chat',
    models: (request) => answerAbout(models, request, loaded),
    error: (_status, message) => ({ error: message }),
    validate({ body }) {
      if (!Array.isArray(body['messages'])) return 'messages required'
      for (const { role } of body['messages'] as { role: string }[]) {
        if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `invalid role: ${role}`
      }
      return undefined
    },
    refuse: (request) => refusal(models, request),
    answer(response, request, answered) {
      const before = turn
      const gone = new Promise<void>((resolve) => response.on('close', () => resolve()))
      turn = before.then(() => gone)
      const model = modelNamed(models, request.body['model'])!
      return before.then(() => {
        loaded.set(model, contextOf(request, model))
        return write(response, request, answered, model)
      })
    },
  }
}

export const ollamaChat = ollamaChatWith([TEST_MODEL])

function refusal(models: readonly OllamaModel[], request: SeenRequest): Reply | undefined {
  const { model: name, tools, think, truncate } = request.body
  const invalid = refusedName(name)
  if (invalid) return invalid
  const model = modelNamed(models, name)
  if (!model) return { status: 404, body: { error: `model '${name}' not found` } }
  const { capabilities = ['completion'] } = model
  const refuse = (error: string) => ({ status: 400, body: { error } })
  if (!capabilities.includes('completion')) return refuse(`"${name}" does not support chat`)
  if (Array.isArray(tools) && tools.length > 0 && !capabilities.includes('tools'))
    return refuse(`registry.ollama.ai/library/${model.name} does not support tools`)
  if (think === true && !capabilities.includes('thinking'))
    return refuse(`"${name}" does not support thinking`)
  const [prompt, context] = [promptTokens(request, model), contextOf(request, model)]
  if (truncate === false && prompt > context)
    return refuse(
      `{"error":{"code":400,"message":"request (${prompt} tokens) exceeds the available context size (${context} tokens), try increasing it","type":"exceed_context_size_error"}}`,
    )
  return undefined
}

function promptTokens({ body }: SeenRequest, { tokensPerWord = 1 }: OllamaModel): number {
  const messages = body['messages'] as { content: string }[]
  const words = messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0)
  return words * tokensPerWord
}

function contextOf({ body }: SeenRequest, { context = 8_192 }: OllamaModel): number {
  const { num_ctx: asked = DEFAULT_CONTEXT } = (body['options'] ?? {}) as { num_ctx?: number }
  return Math.min(asked, context)
}

/** What does not fit is dropped without a word, down to half of the context. */
function evaluated(request: SeenRequest, model: OllamaModel): number {
  const [prompt, context] = [promptTokens(request, model), contextOf(request, model)]
  return prompt < context ? prompt : Math.floor(context / 2) + 2
}

async function write(
  response: ServerResponse,
  request: SeenRequest,
  answered: Answered,
  model: OllamaModel,
): Promise<void> {
  const { broken, live = {}, text } = answered
  const line = (value: unknown) => `${JSON.stringify(value)}\n`
  const thinks = model.capabilities?.includes('thinking') && request.body['think'] !== false
  const thinking = thinks ? answered.think : ''
  const last = part(request, answered, model, { content: '', done: true })
  if (broken === 'shape') return json(response, 200, { model: 'x', message: null, done: true })
  if (!request.body['stream'])
    return json(response, 200, { ...last, message: { ...last.message, content: text, thinking } })
  const parts = [
    ...pieces(thinking).map((piece) => ({ content: '', thinking: piece })),
    ...pieces(text).map((content) => ({ content, thinking: '' })),
  ]
  // Nothing has gone out yet, so it is no line but an answer of its own.
  if (live.error && parts.length === 0) return json(response, 500, { error: live.error })
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let repeats = 0
  for (const [at, more] of parts.entries()) {
    if (at === live.silentAfter) return
    if (at === live.lostAfter) return void response.destroy()
    repeats = at > 0 && token(parts[at - 1]!) === token(more) ? repeats + 1 : 0
    if (repeats > MOST_REPEATS) return void response.end()
    if (live.everyMs) await sleep(live.everyMs)
    const piece = line(part(request, answered, model, { ...more, done: false }))
    // Out before anything else happens, as the server flushes each.
    await new Promise<void>((resolve) => response.write(piece, () => resolve()))
  }
  if (live.error) return void response.end(line({ error: live.error }))
  response.end(broken === 'half' ? undefined : line(last))
}

function token({ content, thinking }: { content: string; thinking: string }): string {
  return (content || thinking).trim()
}

function part(
  request: SeenRequest,
  { call, tokens, uncounted, stop }: Answered,
  model: OllamaModel,
  { content, thinking, done }: { content: string; thinking?: string; done: boolean },
) {
  return {
    model: request.body['model'],
    created_at: '2026-01-01T00:00:00Z',
    message: {
      role: 'assistant',
      content,
      ...(thinking && { thinking }),
      ...(call &&
        done && {
          tool_calls: [
            { id: 'call_a1b2c3d4', function: { index: 0, name: call.name, arguments: call.input } },
          ],
        }),
    },
    done,
    ...(done && {
      done_reason: stop === 'length' ? 'length' : 'stop',
      prompt_eval_count: uncounted ? evaluated(request, model) : tokens.input,
      eval_count: tokens.output,
    }),
  }
}
