import { onTestFinished } from 'vitest'
import type { CompletionRequest } from '../../src/language-model/language-model.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { question } from '../contracts/language-model.ts'
import { startModelService } from '../stand-ins/model-service.ts'
import { ollamaChatWith } from '../stand-ins/ollama-chat.ts'
import type { OllamaModel } from '../stand-ins/ollama-models.ts'

export const SMALL: OllamaModel = { name: 'smollm2:135m' }
const THINKER: OllamaModel = { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] }
export const EMBEDDER: OllamaModel = { name: 'all-minilm', capabilities: ['embedding'] }

/** A stand-in with these models for the length of a test, and how to ask one of them. */
export async function start(...models: OllamaModel[]) {
  const service = await startModelService(
    ollamaChatWith(models.length > 0 ? models : [SMALL, THINKER, EMBEDDER]),
  )
  onTestFinished(() => service.close())
  const at = (model: string, more = {}) => ollamaModel({ model, baseUrl: service.url, ...more })
  return { service, at }
}

export const ask = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  messages: question,
  maxTokens: 50,
  ...more,
})

export const NOBODY = { onText: () => undefined }
