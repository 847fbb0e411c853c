import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, GradedSearch, hitRate, meanReciprocalRank, percent } from './graded-search.ts'

interface Note {
  id: string
  title: string
  summary: string
  errors: string[]
  decisions: string[]
  files: string[]
}
interface Question {
  kind: 'paraphrase' | 'natural' | 'identifier' | 'unrelated'
  text: string
  relevant: string[]
}
const { notes, questions } = JSON.parse(readFileSync(new URL('./notes.json', import.meta.url), 'utf8')) as {
  notes: Note[]
  questions: Question[]
}

/** Notes of iterations in one project, asked for in words they do not use, in their own words, and by name. */
describe('questions to 72 notes', () => {
  let search: GradedSearch
  let answers: Answer[]
  const ofKind = (kind: Question['kind']) => answers.filter(({ question }) => question.kind === kind)

  beforeAll(async () => {
    search = await GradedSearch.open()
    await search.add(
      'notes',
      notes.map(({ id, title, summary, errors, decisions, files }) => ({
        id,
        embedded: [title, summary, ...errors, ...decisions].join('\n'),
        alsoSearched: files.join('\n'),
      })),
    )
    answers = await search.ask('notes', questions, { limit: 20 })
    for (const kind of ['paraphrase', 'natural', 'identifier'] as const) {
      const rates = (['words', 'meaning', 'fused'] as const).map(
        (way) =>
          `${way} ${percent(hitRate(ofKind(kind), way, 1))} (MRR ${percent(meanReciprocalRank(ofKind(kind), way))})`,
      )
      console.log(`${kind}: first place ${rates.join(', ')}`)
    }
  })
  afterAll(() => search?.close())

  /** The answers a person gets: those above the default threshold. */
  const firstPlace = (kind: Question['kind']) => {
    const asked = ofKind(kind)
    const right = asked.filter(({ hits, question }) =>
      question.relevant.includes(hits[0]?.payload['id'] as string),
    )
    return right.length / asked.length
  }
  const firstFive = (kind: Question['kind']) => {
    const asked = ofKind(kind)
    const right = asked.filter(({ hits, question }) =>
      hits.slice(0, 5).some(({ payload }) => question.relevant.includes(payload['id'] as string)),
    )
    return right.length / asked.length
  }

  it('paraphrases are found by meaning and not drowned by chance hits of words', () => {
    expect(firstPlace('paraphrase')).toBeGreaterThanOrEqual(0.68)
    expect(firstFive('paraphrase')).toBeGreaterThanOrEqual(0.8)
    expect(hitRate(ofKind('paraphrase'), 'fused', 1)).toBeGreaterThanOrEqual(
      hitRate(ofKind('paraphrase'), 'meaning', 1) - 0.03,
    )
  })

  it('natural questions have the right note first', () => {
    expect(firstPlace('natural')).toBeGreaterThanOrEqual(0.97)
  })

  it('identifiers, error codes and file names have the right note first', () => {
    expect(firstPlace('identifier')).toBeGreaterThanOrEqual(0.97)
  })

  it('questions about something else are mostly not answered, and never with confidence', () => {
    const unrelated = ofKind('unrelated')
    const answered = unrelated.filter(({ hits }) => hits.length > 0)
    const confident = unrelated.filter(({ hits }) => (hits[0]?.score ?? 0) >= 0.55)
    console.log(
      `unrelated: ${answered.length} of ${unrelated.length} answered, ${confident.length} with confidence`,
    )
    expect(answered.length / unrelated.length).toBeLessThanOrEqual(0.4)
    expect(confident.length / unrelated.length).toBeLessThanOrEqual(0.07)
  })
})
