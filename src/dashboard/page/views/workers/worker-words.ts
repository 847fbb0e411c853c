import type { InferResponseType } from 'hono/client'
import type { api } from '../../client.ts'
import type { Tone } from '../../kit/badge.tsx'

export type WorkersNow = InferResponseType<typeof api.workers.$get, 200>
export type WorkerNow = WorkersNow['workers'][number]

export const WORKER_TITLES: Record<WorkerNow['worker'], string> = {
  conversation: 'Summaries of conversations',
  exchange: 'Summaries of exchanges',
  embedding: 'Embeddings',
}

export function stateOf({ enabled, processes, state, waiting }: WorkerNow): {
  tone: Tone
  sign: string
  words: string
} {
  if (!enabled) return { tone: 'plain', sign: '○', words: 'off' }
  if (processes === 0) return { tone: waiting > 0 ? 'warn' : 'plain', sign: '◌', words: 'on, not running' }
  return state === 'running'
    ? { tone: 'good', sign: '●', words: 'running' }
    : { tone: 'plain', sign: '●', words: 'idle' }
}
