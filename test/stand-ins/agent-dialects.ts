import type { Dialect, Json } from './agent-models.ts'

const EVENTS = 'text/event-stream'
const objects = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
const propertiesOf = (schema: unknown): string[] =>
  Object.keys(((schema as Json)?.['properties'] as Json) ?? {})
const spelled = (input: Json | string): string => (typeof input === 'string' ? input : JSON.stringify(input))
let made = 0
const id = (kind: string) => `${kind}_${++made}`

/** OpenAI's Responses API, streamed. */
export const responses: Dialect = {
  isAsked: (path) => path.endsWith('/responses'),
  answers: ({ input }) =>
    objects(input).filter(
      ({ type, role }) => type === 'function_call' || type === 'custom_tool_call' || role === 'assistant',
    ).length,
  tools: ({ tools }) =>
    new Map(
      objects(tools).map(({ name, type, parameters }) => [String(name ?? type), propertiesOf(parameters)]),
    ),
  error: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
  reply(_, { text, call }) {
    const item = call
      ? typeof call.input === 'string'
        ? { type: 'custom_tool_call', id: id('ctc'), call_id: id('call'), name: call.tool, input: call.input }
        : {
            type: 'function_call',
            id: id('fc'),
            call_id: id('call'),
            name: call.tool,
            ...(call.namespace && { namespace: call.namespace }),
            arguments: spelled(call.input),
          }
      : {
          type: 'message',
          id: id('msg'),
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [] }],
        }
    const answer = { id: id('resp'), object: 'response', status: 'completed', output: [item] }
    const usage = {
      input_tokens: 1_000,
      input_tokens_details: { cached_tokens: 400 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1_050,
    }
    const events = [
      { type: 'response.created', response: { ...answer, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
      { type: 'response.completed', response: { ...answer, usage } },
    ]
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    return { type: EVENTS, body }
  },
}

/** OpenAI's chat completions, streamed where that is asked for. */
export const chatCompletions: Dialect = {
  isAsked: (path) => path.endsWith('/chat/completions'),
  answers: ({ messages }) => objects(messages).filter(({ role }) => role === 'assistant').length,
  tools: ({ tools }) =>
    new Map(
      objects(tools).map(({ function: offered }) => {
        const { name, parameters } = (offered ?? {}) as Json
        return [String(name), propertiesOf(parameters)]
      }),
    ),
  error: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
  reply({ body: { model, stream } }, { text, call }) {
    const head = { id: id('chatcmpl'), created: 1_790_000_000, model }
    const finish_reason = call ? 'tool_calls' : 'stop'
    const tool_calls = call && [
      {
        index: 0,
        id: id('call'),
        type: 'function',
        function: { name: call.tool, arguments: spelled(call.input) },
      },
    ]
    const message = { role: 'assistant', content: text ?? null, ...(tool_calls && { tool_calls }) }
    const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 }
    if (!stream) {
      const whole = {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      }
      return { type: 'application/json', body: JSON.stringify(whole) }
    }
    const chunk = (choices: Json[], more: Json = {}) =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
    const body = [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
      'data: [DONE]\n\n',
    ].join('')
    return { type: EVENTS, body }
  },
}

/** Google's Gemini API: whole and streamed. */
export const gemini: Dialect = {
  isAsked: (path) => /:(?:streamG|g)enerateContent\b/.test(path),
  answers: ({ contents }) => objects(contents).filter(({ role }) => role === 'model').length,
  tools: ({ tools }) =>
    new Map(
      objects(tools)
        .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
        .map(({ name, parametersJsonSchema, parameters }) => [
          String(name),
          propertiesOf(parametersJsonSchema ?? parameters),
        ]),
    ),
  error: (code, message) => ({ error: { code, message, status: 'ERROR' } }),
  reply({ path }, { text, call }) {
    const part = call ? { functionCall: { id: id('call'), name: call.tool, args: call.input } } : { text }
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 50, totalTokenCount: 1_050 },
      modelVersion: 'gemini-2.5-pro',
    }
    if (!path.includes(':stream')) return { type: 'application/json', body: JSON.stringify(answer) }
    return { type: EVENTS, body: `data: ${JSON.stringify(answer)}\n\n` }
  },
}
