import { startOllama } from '../../stand-ins/ollama.ts'
import type { WritePath } from './write-path.ts'

export interface SoakEmbedder extends AsyncDisposable {
  /** The settings that name it. */
  env: Record<string, string>
}

/** A service for those that need one, gone when they are done. */
export async function embedderFor(paths: readonly WritePath[]): Promise<SoakEmbedder> {
  if (!paths.some(({ embeds }) => embeds)) return { env: {}, [Symbol.asyncDispose]: () => Promise.resolve() }
  const service = await startOllama()
  return {
    env: { RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: service.url },
    [Symbol.asyncDispose]: () => service.close(),
  }
}
