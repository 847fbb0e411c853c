import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'

/**
 * LoCoMo: long conversations of two people over months, questions about them, and the turns that hold the evidence.
 * Measured as published: which share of the evidence turns is among the first k turns returned; every turn of a returned
 * exchange counts against k. Adversarial questions (category 5) have no evidence and are left out.
 */
const path = fileURLToPath(new URL('../../../shared/data/locomo/conversations.json', import.meta.url))
const AT = [5, 10, 25, 50] as const
const PUBLISHED = [60.4, 69.6, 79.7, 85.6]

interface Turn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}
interface Sample {
  sample_id: string
  conversation: { [key: string]: Turn[] | string }
  qa: { question: string; evidence?: string[]; category: number }[]
}

describe.skipIf(!existsSync(path))('evidence turns of LoCoMo', () => {
  let embedder: Embedder
  let samples: Sample[]
  beforeAll(async () => {
    samples = JSON.parse(readFileSync(path, 'utf8')) as Sample[]
    embedder = await openLocalEmbedder({ cacheDir: join(tmpdir(), 'ralph-quality-model') })
  })
  afterAll(() => embedder?.close())

  it.each([
    // As a chat stores it: what one says and what the other answers.
    { unit: 'two turns an exchange', turns: 2, least: [64, 75, 82.5, 88] },
    { unit: 'one turn an exchange', turns: 1, least: [66.5, 75.5, 83.5, 88] },
  ])('are found: $unit', async ({ unit, turns, least }) => {
    const sums = AT.map(() => 0)
    let questions = 0
    for (const sample of samples) {
      for (const recall of await recalls(sample, turns, embedder)) {
        for (const [index, value] of recall.entries()) sums[index]! += value
        questions++
      }
    }
    const recall = sums.map((sum) => (100 * sum) / questions)
    console.log(
      `LoCoMo, ${unit}, ${questions} questions: recall @5/10/25/50 ${shown(recall)} (published ${shown(PUBLISHED)})`,
    )
    for (const [index, value] of recall.entries()) {
      expect(value).toBeGreaterThan(PUBLISHED[index]!)
      expect(value).toBeGreaterThan(least[index]!)
    }
  })
})

/** For each question: the share of its evidence among the first 5, 10, 25 and 50 turns. */
async function recalls(sample: Sample, perExchange: number, embedder: Embedder): Promise<number[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'locomo-'))
  const storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
  const index = openSqliteIndex({ path: join(folder, 'index.db') })
  const conversations = new Conversations({
    storage,
    index,
    embedder: async () => embedder,
    summariser: extractiveSummariser(),
    sessionsDir: folder,
    searchDefaults: { limit: 50, minSimilarity: 0 },
    notices: new Notices(({ message }) => console.log(message)),
  })
  try {
    const { lines, turnsOf } = asExchanges(sample, perExchange)
    await writeFile(join(folder, 'history.jsonl'), lines.join('\n'))
    await conversations.importJsonl(join(folder, 'history.jsonl'))
    await conversations.workers.runOnce(new AbortController().signal)
    const known = new Set([...turnsOf.values()].flat())
    const measured: number[][] = []
    for (const { question, evidence = [], category } of sample.qa) {
      const wanted = new Set(
        evidence.flatMap((entry) => entry.split(/[;,\s]+/)).filter((turn) => known.has(turn)),
      )
      if (category === 5 || wanted.size === 0) continue
      const { results } = await conversations.search(question, { limit: 50 })
      const found = results.flatMap(({ exchange }) => turnsOf.get(exchange.id)!)
      measured.push(AT.map((k) => found.slice(0, k).filter((turn) => wanted.has(turn)).length / wanted.size))
    }
    return measured
  } finally {
    await conversations.close()
    await index.close()
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function asExchanges({ sample_id, conversation }: Sample, perExchange: number) {
  const lines: string[] = []
  const turnsOf = new Map<string, string[]>()
  for (let session = 1; session <= 60; session++) {
    const turns = conversation[`session_${session}`]
    if (!Array.isArray(turns)) continue
    const time = sessionTime(conversation[`session_${session}_date_time`] as string)
    for (let at = 0; at < turns.length; at += perExchange) {
      const part = turns.slice(at, at + perExchange)
      const id = part[0]!.dia_id
      turnsOf.set(
        id,
        part.map(({ dia_id }) => dia_id),
      )
      lines.push(
        JSON.stringify({
          conversation_id: `${sample_id}-${session}`,
          exchange_id: id,
          user_message: said(part[0]!),
          assistant_message: part[1] ? said(part[1]) : '',
          ...(time && { started_at: time }),
        }),
      )
    }
  }
  return { lines, turnsOf }
}

function said({ speaker, text, blip_caption }: Turn): string {
  return `${speaker}: ${text}${blip_caption ? ` [shares ${blip_caption}]` : ''}`
}

/** "1:56 pm on 8 May, 2023" */
function sessionTime(text: string): string | undefined {
  const date = new Date(`${text.replace(/^(.*) on (.*)$/, '$2 $1')} UTC`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function shown(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join('/')
}
