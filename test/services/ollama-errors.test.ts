import { describe, expect, it } from 'vitest'
import { ollamaService } from '../../src/services/ollama.ts'
import type { OllamaUse } from '../../src/services/ollama-errors.ts'
import { HttpError, serviceError } from '../../src/services/service.ts'

interface Case {
  use: OllamaUse
  status: number
  said: string
  url?: string
  midway?: boolean
  code: string
  retryable: boolean
  message: RegExp
  hint: RegExp
}

/** As Ollama 0.34 words them. */
const CASES: readonly Case[] = [
  {
    use: 'embedding',
    status: 501,
    said: 'This server does not support embeddings. Start it with `--embeddings`',
    code: 'invalid_input',
    retryable: false,
    message: /^m makes no embeddings/,
    hint: /embedder\.model to an embedding model.*ollama pull nomic-embed-text/,
  },
  {
    use: 'chat',
    status: 400,
    said: '"m" does not support chat',
    code: 'invalid_input',
    retryable: false,
    message: /^m does not chat: it only makes embeddings$/,
    hint: /language_model\.model to a model that chats/,
  },
  {
    use: 'chat',
    status: 400,
    said: 'registry.ollama.ai/library/m does not support tools',
    code: 'invalid_input',
    retryable: false,
    message: /cannot call tools/,
    hint: /language_model\.model/,
  },
  ...(['embedding', 'chat'] as const).flatMap((use): Case[] => [
    {
      use,
      status: 404,
      said: `model 'm' not found`,
      code: 'not_found',
      retryable: false,
      message: /^m not found$/,
      hint: /^Run: ollama pull m$/,
    },
    {
      use,
      status: 404,
      said: '404 page not found',
      url: 'http://127.0.0.1:11434/v1',
      code: 'unavailable',
      retryable: false,
      message: /not as Ollama does/,
      hint: /\.url to http:\/\/127\.0\.0\.1:11434, without \/v1$/,
    },
    {
      use,
      status: 404,
      said: '404 page not found',
      url: 'http://127.0.0.1:11434/api',
      code: 'unavailable',
      retryable: false,
      message: /not as Ollama does/,
      hint: /without \/api$/,
    },
    {
      use,
      status: 404,
      said: 'Not Found',
      code: 'unavailable',
      retryable: false,
      message: /not as Ollama does/,
      hint: /e\.g\. http:\/\/127\.0\.0\.1:11434$/,
    },
    {
      use,
      status: 503,
      said: 'server busy, please try again.  maximum pending requests exceeded',
      code: 'unavailable',
      retryable: true,
      message: /too many requests waiting \(503\)/,
      hint: /OLLAMA_MAX_QUEUE/,
    },
    {
      use,
      status: 500,
      said: 'model requires more system memory (5.6 GiB) than is available (4.1 GiB)',
      code: 'unavailable',
      retryable: true,
      message: /too little memory for m.*5\.6 GiB/,
      hint: /smaller model/,
    },
    {
      use,
      status: 500,
      said: 'llama runner process has terminated: signal: killed',
      code: 'unavailable',
      retryable: true,
      message: /runner of m stopped/,
      hint: /^Ask again/,
    },
    {
      use,
      status: 500,
      said: 'llama-server reported out-of-memory during startup: cudaMalloc failed',
      code: 'unavailable',
      retryable: true,
      message: /too little memory for m/,
      hint: /smaller model/,
    },
    {
      use,
      status: 500,
      said: 'no slots available after 10 retries',
      code: 'unavailable',
      retryable: true,
      message: /runner of m stopped/,
      hint: /^Ask again/,
    },
    {
      use,
      status: 500,
      said: 'template: :3: unexpected "}" in operand',
      code: 'unavailable',
      retryable: true,
      message: /^Ollama failed with m \(500\): template/,
      hint: /^Ask again/,
    },
    {
      use,
      status: 403,
      said: 'ollama cloud is disabled: remote inference is unavailable',
      code: 'unavailable',
      retryable: false,
      message: /does not run m in its cloud \(403\)/,
      hint: /ollama signin/,
    },
    {
      use,
      status: 401,
      said: 'unauthorized',
      code: 'unavailable',
      retryable: false,
      message: /refused the key/,
      hint: /api_key to the key that the gateway/,
    },
  ]),
  {
    use: 'embedding',
    status: 400,
    said: 'do embedding request: Post "http://127.0.0.1:41234/v1/embeddings": EOF',
    code: 'unavailable',
    retryable: true,
    message: /runner of m stopped/,
    hint: /^Ask again/,
  },
  {
    use: 'embedding',
    status: 400,
    said: 'unexpected server status: llm server loading model',
    code: 'unavailable',
    retryable: true,
    message: /could not embed with m \(400\)/,
    hint: /^Ask again/,
  },
  {
    use: 'embedding',
    status: 400,
    said: 'invalid model name',
    code: 'invalid_input',
    retryable: false,
    message: /^"m" is no name of a model$/,
    hint: /embedder\.model/,
  },
  {
    use: 'embedding',
    status: 400,
    said: 'invalid input type',
    code: 'invalid_input',
    retryable: false,
    message: /rejected the request \(400\): invalid input type/,
    hint: /^$/,
  },
  {
    use: 'chat',
    status: 500,
    said: 'an error was encountered while running the model: unexpected EOF',
    midway: true,
    code: 'unavailable',
    retryable: true,
    message: /stopped in the middle of its answer/,
    hint: /^Ask again/,
  },
  {
    use: 'chat',
    status: 500,
    said: 'llama-server returned invalid tool call arguments for "search": unexpected end of JSON input',
    midway: true,
    code: 'unavailable',
    retryable: true,
    message: /^m called a tool in a way that Ollama cannot read/,
    hint: /knows tools better/,
  },
  {
    use: 'chat',
    status: 400,
    said: '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens)","type":"exceed_context_size_error"}}',
    code: 'invalid_input',
    retryable: false,
    message: /longer than m takes/,
    hint: /larger context/,
  },
]

describe('what Ollama answers, and what is made of it', () => {
  it.each(CASES)('$use: $status $said', ({ use, status, said, url, midway, ...expected }) => {
    const service = ollamaService({ model: 'm', url }, use)
    const error = serviceError(new HttpError(status, new Headers(), said, midway), service)
    expect(error).toMatchObject({ code: expected.code, retryable: expected.retryable })
    expect(error.message).toMatch(expected.message)
    expect(error.hint ?? '').toMatch(expected.hint)
    expect(`${error.message} ${error.hint}`).not.toMatch(/ollama serve/)
  })
})
