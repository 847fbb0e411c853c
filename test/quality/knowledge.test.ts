import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import { Notices } from '../../src/notices.ts'
import type { Pattern } from '../../src/project-knowledge/patterns.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { FOR_FAILURE } from '../../src/project-knowledge/query.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { deterministicUuid } from '../../src/text/ids.ts'

const data = resolve(import.meta.dirname, '../../../shared/data/failures-clippy')
const available = existsSync(data)

interface Line {
  id: string
  text: string
  relevant: string[]
}
const lines = (file: string): Line[] =>
  readFileSync(join(data, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Real compiler failures, and the documentation of every lint as an entry: problem in its first line, then the rest. */
describe.skipIf(!available)(
  'failures and their solutions (need the public data beside the repository)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-quality-knowledge-'))
    let storage: Storage
    let index: SearchIndex
    let embedder: Embedder
    let knowledge: ProjectKnowledge
    let answers: { relevant: string[]; patterns: Pattern[] }[]
    const documents = available ? lines('documents.jsonl') : []
    const questions = available ? lines('queries.jsonl') : []
    const idOf = (document: string) => deterministicUuid('lint', document)

    beforeAll(async () => {
      storage = await openSqliteStorage({ path: join(folder, 'ralph.db') })
      index = openSqliteIndex({ path: join(folder, 'index.db') })
      embedder = await openLocalEmbedder({ cacheDir: folder })
      const notices = new Notices((notice) => console.error(notice.message))
      knowledge = new ProjectKnowledge({ storage, index, embedder: async () => embedder, notices })
      const imported = await knowledge.importJsonl(documents.map(entryLine))
      expect(imported).toEqual({ imported: documents.length, known: 0, rejected: [] })
      await knowledge.checkpoint('manual')
      answers = []
      for (const { text, relevant } of questions) {
        const patterns = await knowledge.queryForFailure({ description: text }, { limit: 10, minScore: 0 })
        answers.push({ relevant: relevant.map(idOf), patterns })
      }
    })
    afterAll(async () => {
      await embedder?.close()
      await index?.close()
      await storage?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    function entryLine({ id, text }: Line): string {
      const [problem, ...rest] = text.split('\n')
      return JSON.stringify({
        id: idOf(id),
        kind: 'failure_solution',
        project: 'clippy',
        failure_description: problem,
        solution_steps: rest.join('\n').trim() || problem,
      })
    }

    const isRight = (pattern: Pattern, relevant: readonly string[]) =>
      pattern.entries.some(({ id }) => relevant.includes(id))

    it('finds the right entry far better than plain BM25 on the same run', () => {
      const ours = mean(answers, ({ patterns, relevant }) =>
        reciprocal(patterns.findIndex((pattern) => isRight(pattern, relevant))),
      )
      const rank = plainBm25(documents)
      const words = mean(questions, ({ text, relevant }) =>
        reciprocal(rank(text).findIndex((id) => relevant.includes(id))),
      )
      console.log(`MRR ${(100 * ours).toFixed(1)}, plain BM25 ${(100 * words).toFixed(1)}`)
      expect(words).toBeGreaterThan(0.75)
      expect(ours).toBeGreaterThanOrEqual(words + 0.04)
      expect(ours).toBeGreaterThanOrEqual(0.86)
    })

    it('puts patterns into prompts that are right more often than not', () => {
      const shown = answers.map(({ patterns, relevant }) => ({
        relevant,
        patterns: patterns.filter(({ score }) => score >= FOR_FAILURE.minScore).slice(0, FOR_FAILURE.limit),
      }))
      const answered = shown.filter(({ patterns }) => patterns.length > 0)
      const right = mean(answered, ({ patterns, relevant }) =>
        patterns.some((pattern) => isRight(pattern, relevant)) ? 1 : 0,
      )
      console.log(
        `${answered.length} of ${shown.length} answered, ${(100 * right).toFixed(1)} % with the right one`,
      )
      expect(answered.length / shown.length).toBeGreaterThan(0.9)
      expect(right).toBeGreaterThan(0.9)
    })

    it('takes no two different entries for twins', async () => {
      const { entries } = await knowledge.statistics()
      expect(documents.length - entries).toBeLessThanOrEqual(1)
    })

    it('hardly answers questions from another world', async () => {
      const commands = resolve(data, '../commands-nl2bash/queries.jsonl')
      const unrelated = readFileSync(commands, 'utf8').trim().split('\n').slice(0, 100)
      let answered = 0
      for (const line of unrelated) {
        const { text } = JSON.parse(line) as Line
        if ((await knowledge.queryForFailure({ description: text })).length > 0) answered++
      }
      console.log(`${answered} of ${unrelated.length} unrelated questions answered`)
      expect(answered).toBeLessThanOrEqual(10)
    })
  },
)

function reciprocal(at: number): number {
  return at < 0 ? 0 : 1 / (at + 1)
}

function mean<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0) / items.length
}

/** The textbook's: lower-case words, k1 1.2, b 0.75. The first ten ids. */
function plainBm25(texts: readonly Line[]): (question: string) => string[] {
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9_]+/g) ?? []
  const counts = texts.map(({ text }) => {
    const count = new Map<string, number>()
    for (const word of wordsOf(text)) count.set(word, (count.get(word) ?? 0) + 1)
    return count
  })
  const lengths = texts.map(({ text }) => wordsOf(text).length)
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const containing = new Map<string, number>()
  for (const count of counts)
    for (const word of count.keys()) containing.set(word, (containing.get(word) ?? 0) + 1)
  return (question) => {
    const asked = new Set(wordsOf(question))
    const scores = counts.map((count, at) => {
      let score = 0
      for (const word of asked) {
        const frequency = count.get(word)
        if (!frequency) continue
        const documents = containing.get(word)!
        const telling = Math.log(1 + (texts.length - documents + 0.5) / (documents + 0.5))
        score += (telling * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * lengths[at]!) / average))
      }
      return { id: texts[at]!.id, score }
    })
    return scores
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ id }) => id)
  }
}
