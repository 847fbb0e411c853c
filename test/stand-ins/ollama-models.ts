import { createHash } from 'node:crypto'

/** A model that the stand-in has, with what /api/show tells of it. */
export interface OllamaModel {
  name: string
  capabilities?: readonly ('completion' | 'embedding' | 'tools' | 'thinking')[]
  /** In tokens. */
  context?: number
  dimensions?: number
  digest?: string
  /** As older servers, which do not tell what a model can do. */
  tellsLittle?: boolean
  /** Tokenizers differ. */
  tokensPerWord?: number
  family?: string
}

type Answer = { status: number; body: unknown; text?: true }

/** Names are compared as Ollama does: in any case, with or without registry, library and tag. */
export function modelNamed(models: readonly OllamaModel[], name: unknown): OllamaModel | undefined {
  return models.find((model) => fullName(model.name) === fullName(String(name)))
}

function fullName(name: string): string {
  const [, path = '', tag = 'latest'] = /^(.*?)(?::([^:/]*))?$/.exec(name.toLowerCase())!
  const omitted = ['', 'registry.ollama.ai/library/', 'registry.ollama.ai/'][path.split('/').length] ?? ''
  return `${omitted}${path}:${tag}`
}

/** Everything that tells of models, and what Ollama's router says to an address that it does not know. */
export function answerAbout(
  models: readonly OllamaModel[],
  { method, path, body }: { method: string; path: string; body: { [key: string]: unknown } },
  /** With which context. */
  loaded: ReadonlyMap<OllamaModel, number> = new Map(),
): Answer {
  const at = `${method} ${path}`
  if (at === 'GET /api/ps') return { status: 200, body: { models: [...loaded].map(running) } }
  if (at === 'GET /api/version') return { status: 200, body: { version: '0.34.4' } }
  if (at === 'GET /api/tags') return { status: 200, body: { models: models.map(listed) } }
  if (at !== 'POST /api/show') return { status: 404, body: '404 page not found', text: true }
  const invalid = refusedName(body['model'])
  if (invalid) return invalid
  const model = modelNamed(models, body['model'])
  return model
    ? { status: 200, body: shown(model) }
    : {
        status: 404,
        body: { error: `model '${fullName(String(body['model'])).split('/').at(-1)}' not found` },
      }
}

const PART = /^[\w][\w.-]{0,79}$/

/** What cannot be a name, whatever models there are. */
export function refusedName(name: unknown): Answer | undefined {
  const path = String(name).trim().split('/')
  const isValid = path.length <= 3 && path.every((part) => part.split(':').every((piece) => PART.test(piece)))
  return isValid ? undefined : { status: 400, body: { error: 'invalid model name' } }
}

function running([model, context]: readonly [OllamaModel, number]) {
  return { ...listed(model), size_vram: 0, context_length: context, expires_at: '2026-01-01T00:05:00Z' }
}

function listed({ name, digest }: OllamaModel) {
  const tagged = name.includes(':') ? name : `${name}:latest`
  return { name: tagged, model: tagged, size: 1, digest: digest ?? digestOf(tagged) }
}

function shown({
  capabilities = ['completion'],
  context = 8_192,
  dimensions = 576,
  tellsLittle,
  family,
}: OllamaModel) {
  const architecture = family ?? (capabilities.includes('embedding') ? 'bert' : 'llama')
  return {
    license: '',
    details: { format: 'gguf', family: architecture, families: [architecture] },
    model_info: {
      'general.architecture': architecture,
      [`${architecture}.context_length`]: context,
      [`${architecture}.embedding_length`]: dimensions,
      [`${architecture}.rope.scaling.original_context_length`]: 64,
    },
    ...(!tellsLittle && { capabilities }),
  }
}

function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}
