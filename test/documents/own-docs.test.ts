import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { openTestDocuments } from './open.ts'

/** Real questions about this repository, and the pages that answer them. */
const QUESTIONS: readonly (readonly [question: string, page: RegExp])[] = [
  ['how do I move my memory from sqlite to postgres', /growing|cli|library/],
  ['why was onnxruntime pinned to an old version', /dependencies|embedding/],
  ['which environment variable sets the embedder', /configuration|growing/],
  ['how does the dashboard know who may get in', /dashboard/],
  ['what does the short id of a learning look like', /words|cli/],
  ['which agents can the loop start', /agents|loop/],
  ['what is left out when a folder of documents is added', /documents/],
  ['how are injected instructions defused', /architecture|documents|conversations|redaction/],
  ['what does ralph doctor --fix mend', /health|cli/],
  ['how is a prompt kept within its token budget', /loop|tokens|board-and-loop|configuration/],
]

test('answers questions about its own documentation, by words alone too', async () => {
  const off = async () => {
    throw new RalphError('unavailable', 'no embedder here')
  }
  const { documents } = await openTestDocuments({ embedder: off })
  await documents.add([join(import.meta.dirname, '../../docs')])
  const missed: string[] = []
  for (const [question, page] of QUESTIONS) {
    const found = await documents.search(question, { limit: 5, minScore: 0 })
    if (!found.some(({ piece }) => page.test(piece.path.replace(/^.*docs/, '')))) missed.push(question)
  }
  expect(missed.length).toBeLessThanOrEqual(1)
  expect(await documents.search('best recipe for banana bread')).toEqual([])
})
