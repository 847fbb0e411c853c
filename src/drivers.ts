import type { Config } from './config.ts'
import type { Embedder } from './embedding/embedder.ts'
import { RalphError } from './errors.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import type { Summariser } from './language-model/summariser.ts'
import type { Notices } from './notices.ts'
import type { Storage } from './storage/storage.ts'

/** Which driver stands for what in the settings; each is loaded only where it is wanted. */

export async function openStorage({ settings, paths }: Config): Promise<Storage> {
  const { driver, url } = settings.storage
  if (driver === 'sqlite') {
    const { openSqliteStorage } = await import('./storage/sqlite.ts')
    return openSqliteStorage({ path: paths.userDatabase })
  }
  if (url === undefined) {
    throw new RalphError('invalid_input', 'storage.driver is "postgres" but storage.url is not set', {
      hint: 'Set RALPH_POSTGRES_URL=postgres://user:password@host/database',
    })
  }
  const { openPostgresStorage } = await import('./storage/postgres.ts')
  return openPostgresStorage({ url })
}

export async function openEmbedder({ settings, paths }: Config, notices: Notices): Promise<Embedder> {
  const { provider, ...service } = settings.embedder
  switch (provider) {
    case 'local': {
      const { openLocalEmbedder } = await import('./embedding/local.ts')
      return openLocalEmbedder({ cacheDir: paths.models, onNotice: (notice) => notices.once(notice) })
    }
    case 'ollama': {
      const { openOllamaEmbedder } = await import('./embedding/ollama.ts')
      return openOllamaEmbedder(given(service))
    }
    case 'openai': {
      const { openOpenAiEmbedder } = await import('./embedding/openai.ts')
      return openOpenAiEmbedder(given(service))
    }
    case 'none':
      throw new RalphError('unavailable', 'the embedder is switched off in the settings', {
        hint: 'Set embedder.provider to "local" (or remove the setting) to search by meaning.',
      })
  }
}

const DEFAULT_MODELS = { anthropic: 'claude-haiku-4-5', openai: 'gpt-5-mini', ollama: 'llama3.2' } as const

export async function openLanguageModel({ settings }: Config): Promise<LanguageModel | undefined> {
  const { provider, apiKey, url: baseUrl } = settings.languageModel
  if (provider === 'none') return undefined
  const options = {
    model: settings.languageModel.model ?? DEFAULT_MODELS[provider],
    apiKey,
    ...(baseUrl && { baseUrl }),
    prices: Object.fromEntries(settings.languageModel.prices.map(({ model, ...price }) => [model, price])),
  }
  switch (provider) {
    case 'anthropic':
      return (await import('./language-model/anthropic.ts')).anthropicModel(options)
    case 'openai':
      return (await import('./language-model/openai.ts')).openAiModel(options)
    case 'ollama':
      return (await import('./language-model/ollama.ts')).ollamaModel(options)
  }
}

export async function openSummariser(model: LanguageModel | undefined): Promise<Summariser> {
  return model
    ? (await import('./language-model/prompted.ts')).promptedSummariser(model)
    : (await import('./language-model/extractive.ts')).extractiveSummariser()
}

/** Without the settings that were not made: drivers have their own defaults. */
function given<Options extends object>(
  options: Options,
): { [Key in keyof Options]: NonNullable<Options[Key]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never
}
