import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'

/** Some programs hide whatever looks like a key from their output: it must be nothing that stands there anyway. */
const KEY = 'sk-scripted-0123456789abcdef'

/** A home and an environment in which the real programs of agents ask a scripted model, and nobody else. */
export async function agentHome(
  home: string,
  url: string,
  bins: readonly string[],
): Promise<NodeJS.ProcessEnv> {
  const model = { id: 'scripted', name: 'scripted', contextWindow: 100_000, maxTokens: 8_000 }
  const cost = { input: 1, output: 5 }
  const files: Record<string, string | object> = {
    '.codex/config.toml': [
      'model = "gpt-5.5"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"',
      `base_url = "${url}/v1"\nenv_key = "SCRIPTED_KEY"\nwire_api = "responses"\n`,
    ].join('\n'),
    '.gemini/settings.json': {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
    },
    '.config/opencode/opencode.json': {
      autoupdate: false,
      model: 'scripted/scripted',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: KEY },
          models: { scripted: { limit: { context: 100_000, output: 8_000 }, cost } },
        },
      },
    },
    '.pi/agent/models.json': {
      providers: {
        scripted: {
          ...{ baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: KEY },
          models: [
            { ...model, cost: { ...cost, cacheRead: 0, cacheWrite: 0 }, input: ['text'], reasoning: false },
          ],
        },
      },
    },
    '.pi/agent/settings.json': { defaultProvider: 'scripted', defaultModel: 'scripted' },
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return {
    PATH: [...bins, process.env.PATH].join(delimiter),
    ...{ HOME: home, USERPROFILE: home, RALPH_HOME: join(home, 'ralph'), RALPH_EMBEDDER: 'none' },
    ...{
      SCRIPTED_KEY: KEY,
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    ...{ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'qwen3-coder-plus' },
    ...{ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: KEY, COPILOT_OFFLINE: 'true' },
    ...{ COPILOT_MODEL: 'claude-sonnet-4.5', PI_OFFLINE: '1' },
    ...{ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
  }
}
