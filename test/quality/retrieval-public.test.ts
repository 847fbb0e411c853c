import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LENIENT } from '../../src/retrieval/fusion.ts'
import {
  type Answer,
  type Document,
  GradedSearch,
  hitRate,
  meanReciprocalRank,
  percent,
  type Question,
  recall,
} from './graded-search.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')

describe.skipIf(!existsSync(data))('public collections (need the public data beside the repository)', () => {
  let search: GradedSearch

  beforeAll(async () => {
    search = await GradedSearch.open()
  })
  afterAll(() => search?.close())

  async function graded(folder: string, toDocument: (line: Line) => Document): Promise<Answer[]> {
    await search.add(folder, lines(folder, 'documents.jsonl').map(toDocument))
    const answers = await search.ask(folder, lines(folder, 'queries.jsonl') as unknown as Question[])
    const rates = (['words', 'meaning', 'fused'] as const).map(
      (way) =>
        `${way} MRR ${percent(meanReciprocalRank(answers, way))} first 5 ${percent(hitRate(answers, way, 5))}`,
    )
    console.log(`${folder}: ${rates.join(', ')}`)
    return answers
  }
  const asIs = ({ id, text }: Line): Document => ({ id: id as string, embedded: text as string })

  // Plain BM25: MRR 80.8.
  it('compiler output → documentation of the right lint', async () => {
    const answers = await graded('failures-clippy', asIs)
    expect(meanReciprocalRank(answers, 'fused')).toBeGreaterThanOrEqual(0.835)
    expect(hitRate(answers, 'fused', 5)).toBeGreaterThanOrEqual(0.92)
  })

  // Plain BM25: MRR 50.4, first five 63.
  it('the same how-to in other words', async () => {
    const answers = await graded('commands-nl2bash', asIs)
    expect(meanReciprocalRank(answers, 'fused')).toBeGreaterThanOrEqual(0.55)
    expect(hitRate(answers, 'fused', 5)).toBeGreaterThanOrEqual(0.67)
  })

  // Plain BM25: MRR 57.
  it('title of a change → the session that made it', async () => {
    const answers = await graded('sessions-entire', ({ id, prompts, files }) => ({
      id: id as string,
      embedded: prompts as string,
      alsoSearched: (files as string[]).join('\n'),
    }))
    expect(meanReciprocalRank(answers, 'fused')).toBeGreaterThanOrEqual(0.63)
  })

  // Plain BM25: 53.9 / 61.3 / 69.3 / 75.0, over twice as many conversations.
  it('question → the turns of a conversation that answer it', async () => {
    const answers: Answer[] = []
    for (const { name, turns, questions } of conversations()) {
      await search.add(name, turns)
      answers.push(...(await search.ask(name, questions, { limit: 50, wordGate: LENIENT })))
    }
    const counts = [5, 10, 25, 50]
    const rates = (['words', 'meaning', 'fused'] as const).map(
      (way) => `${way} ${counts.map((count) => percent(recall(answers, way, count))).join('/')}`,
    )
    console.log(`locomo turns, recall @${counts.join('/')}: ${rates.join(', ')}`)
    for (const [at, least] of [0.59, 0.67, 0.76, 0.82].entries()) {
      expect(recall(answers, 'fused', counts[at]!)).toBeGreaterThanOrEqual(least)
    }
  })
})

type Line = Record<string, unknown>

function lines(folder: string, file: string): Line[] {
  return readFileSync(join(data, folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

interface Turn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}
interface Conversation {
  sample_id: string
  conversation: Record<string, Turn[] | string>
  qa: { question: string; evidence: string[]; category: number }[]
}

const ADVERSARIAL = 5

function conversations(): { name: string; turns: Document[]; questions: Question[] }[] {
  const all = JSON.parse(readFileSync(join(data, 'locomo', 'conversations.json'), 'utf8')) as Conversation[]
  return all.map(({ sample_id, conversation, qa }) => {
    const turns = Object.values(conversation)
      .filter((session) => Array.isArray(session))
      .flat()
      .map(({ speaker, dia_id, text, blip_caption }) => ({
        id: dia_id,
        embedded: `${speaker}: ${text}${blip_caption ? ` [shares ${blip_caption}]` : ''}`,
      }))
    const known = new Set(turns.map(({ id }) => id))
    const questions = qa
      .filter(({ category }) => category !== ADVERSARIAL)
      .map(({ question, evidence }) => ({
        text: question,
        relevant: (evidence.join(' ').match(/D\d+:\d+/g) ?? []).filter((id) => known.has(id)),
      }))
      .filter(({ relevant }) => relevant.length > 0)
    return { name: sample_id, turns, questions }
  })
}
