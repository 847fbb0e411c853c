import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calibrated } from '../../src/embedding/calibration.ts'
import { embedAll } from '../../src/embedding/embed-all.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import { cosine } from '../contracts/embedder.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const available = existsSync(data)

interface Collection {
  queries: { relevant: Set<string>; vector: Float32Array }[]
  documents: { id: string; vector: Float32Array }[]
}

/** What the thresholds promise, on failures and their solutions, and between texts of different worlds. */
describe.skipIf(!available)(
  'scores of the local embedder (needs the public data beside the repository)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-calibration-'))
    let embedder: Embedder
    let failures: Collection
    let commands: Collection

    beforeAll(async () => {
      embedder = await openLocalEmbedder({ cacheDir: folder })
      failures = await load('failures-clippy')
      commands = await load('commands-nl2bash', 300)
    })
    afterAll(async () => {
      await embedder?.close()
      rmSync(folder, { recursive: true })
    })

    async function load(name: string, most = Number.POSITIVE_INFINITY): Promise<Collection> {
      const lines = (file: string): { id: string; text: string; relevant: string[] }[] =>
        readFileSync(join(data, name, file), 'utf8')
          .trim()
          .split('\n')
          .slice(0, most)
          .map((line) => JSON.parse(line))
      const [queries, documents] = [lines('queries.jsonl'), lines('documents.jsonl')]
      const [asked, stored] = [
        await embedAll(
          embedder,
          queries.map(({ text }) => text),
          { kind: 'query' },
        ),
        await embedAll(
          embedder,
          documents.map(({ text }) => text),
        ),
      ]
      return {
        queries: queries.map(({ relevant }, index) => ({
          relevant: new Set(relevant),
          vector: asked[index]!,
        })),
        documents: documents.map(({ id }, index) => ({ id, vector: stored[index]! })),
      }
    }

    const score = (a: Float32Array, b: Float32Array) => calibrated(cosine(a, b), embedder.calibration)

    /** Of the best hits that reach the score, how many are right. */
    function precisionFrom(threshold: number): number {
      const best = failures.queries.map(({ relevant, vector }) => {
        const scores = failures.documents.map((document) => score(vector, document.vector))
        const top = Math.max(...scores)
        return { top, right: relevant.has(failures.documents[scores.indexOf(top)]!.id) }
      })
      const shown = best.filter(({ top }) => top >= threshold)
      return shown.filter(({ right }) => right).length / shown.length
    }

    it('keeps what is right above "possibly relevant"', () => {
      const kept = failures.queries.filter(({ relevant, vector }) =>
        failures.documents.some(
          (document) => relevant.has(document.id) && score(vector, document.vector) >= 0.4,
        ),
      )
      expect(kept.length / failures.queries.length).toBeGreaterThan(0.97)
    })

    it('keeps texts of another world below "possibly relevant"', () => {
      const strangers = commands.queries.flatMap(({ vector }) =>
        failures.documents.map((document) => score(vector, document.vector)),
      )
      expect(strangers.filter((value) => value >= 0.4).length / strangers.length).toBeLessThan(0.03)
      expect(strangers.filter((value) => value >= 0.55).length / strangers.length).toBeLessThan(0.002)
    })

    it.each([0.7, 0.75, 0.9])('means by %f that about as many best hits are right', (threshold) => {
      expect(Math.abs(precisionFrom(threshold) - threshold)).toBeLessThan(0.05)
    })
  },
)
