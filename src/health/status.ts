import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { EmbedderSource } from '../embedding/embedder.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { Notice } from '../notices.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Storage, StorageSource } from '../storage/storage.ts'

/** Whether memory can be searched by meaning, and if not, why and what to do. */
export interface RagStatus {
  available: boolean
  indexOk: boolean
  embedderOk: boolean
  model?: string
  dimensions?: number
  /** What runs, in words: "sqlite, all-MiniLM-L6-v2 384d, onnxruntime int8". */
  detail: string
  reason?: string
  hint?: string
}

export interface PartHealth {
  ok: boolean
  detail: string
  hint?: string
}

export async function ragStatus(parts: { index: SearchIndex; embedder: EmbedderSource }): Promise<RagStatus> {
  const index = await healthOf(() => parts.index.check())
  let model: { model: string; dimensions: number } | undefined
  const embedder = await healthOf(async () => {
    const open = await parts.embedder()
    model = { model: open.model, dimensions: open.dimensions }
    return open.check()
  })
  const broken = [index, embedder].filter(({ ok }) => !ok)
  const hints = broken.map(({ hint }) => hint).filter((hint) => hint !== undefined)
  const detail = [
    index.detail,
    model ? `${model.model} ${model.dimensions}d, ${embedder.detail}` : embedder.detail,
  ]
  return {
    available: broken.length === 0,
    indexOk: index.ok,
    embedderOk: embedder.ok,
    ...model,
    detail: detail.join('; '),
    ...(broken[0] && { reason: broken.map((part) => part.detail).join('; ') }),
    ...(hints.length > 0 && {
      hint: hints.length === 1 ? hints[0]! : hints.map((hint) => hint.replace(/\.$/, '')).join('; '),
    }),
  }
}

/** "RAG: active (…)" or why not, in one line. */
export function ragLine(status: RagStatus): string {
  if (status.available) return `RAG: active (${status.detail})`
  const state = status.indexOk ? 'words only' : 'off'
  return `RAG: ${state} (${[status.reason, status.hint].filter(Boolean).join('. ')})`
}

/** The same for a badge: a word, a sentence that people understand, and the details for who wants them. */
export interface RagBadge {
  active: boolean
  label: 'RAG active' | 'RAG off'
  /** What it means for whoever searches. */
  meaning: string
  details: string
  hint?: string
}

export function ragBadge(status: RagStatus): RagBadge {
  const { available, indexOk, detail, reason, hint } = status
  return {
    active: available,
    label: available ? 'RAG active' : 'RAG off',
    meaning: available
      ? 'Memory is searched by meaning and by words.'
      : indexOk
        ? 'Memory is searched by words only: what is said in other words is not found.'
        : 'Memory is searched without its index: by words only and more slowly. What is recorded is kept.',
    details: reason ?? detail,
    ...(hint && { hint }),
  }
}

/** What the memories would say about the same trouble when they meet it. */
export function ragNotices({ indexOk, embedderOk, reason = '', hint }: RagStatus): Notice[] {
  const keys = [...(indexOk ? [] : ['index']), ...(embedderOk ? [] : ['embedder'])]
  return keys.map((key) => ({ key, message: reason, ...(hint && { hint }) }))
}

export interface StoragePlace {
  config: Config
  storage: StorageSource
}

/** Where knowledge and conversations are kept. Looking does not make what is not there yet. */
export async function storageStatus(
  { config, storage }: StoragePlace,
  { thorough = false } = {},
): Promise<PartHealth> {
  const { userDatabase } = config.paths
  if (config.settings.storage.driver === 'sqlite' && !existsSync(userDatabase))
    return { ok: true, detail: `sqlite at ${userDatabase}, nothing stored yet` }
  return healthOf(async () => (await storage()).check({ thorough }))
}

/** Looking does not make what is not there yet, and what is wrong with it is said once. */
export async function storageIfAny(parts: StoragePlace): Promise<Storage | undefined> {
  const { config, storage } = parts
  if (config.settings.storage.driver === 'sqlite' && !existsSync(config.paths.userDatabase)) return undefined
  return (await storageStatus(parts)).ok ? storage() : undefined
}

export async function healthOf(check: () => Promise<PartHealth>): Promise<PartHealth> {
  try {
    return await check()
  } catch (error) {
    const hint = isRalphError(error) ? error.hint : undefined
    return { ok: false, detail: messageOf(error), ...(hint && { hint }) }
  }
}

export interface DiskUsage {
  journals: number
  index: number
  userData: number
}

/** Bytes on disk. */
export async function diskUsage({ paths, home }: Config): Promise<DiskUsage> {
  return {
    journals: await sizeOf(paths.memory),
    index: await sizeOf(paths.cache),
    userData: await sizeOf(home),
  }
}

async function sizeOf(folder: string): Promise<number> {
  let names: string[]
  try {
    names = await readdir(folder, { recursive: true })
  } catch {
    return 0 // not made yet
  }
  let bytes = 0
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => undefined) // gone meanwhile
    if (stats?.isFile()) bytes += stats.size
  }
  return bytes
}
