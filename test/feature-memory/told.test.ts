import { describe, expect, it } from 'vitest'
import { cleanIteration } from '../../src/feature-memory/clean.ts'
import { iterationPayload } from '../../src/feature-memory/payload.ts'
import {
  fromJournalLine,
  type IterationRecord,
  iterationId,
  parseRecord,
  shownOf,
  toJournalLine,
} from '../../src/feature-memory/record.ts'
import { partsOf, searchedWords } from '../../src/feature-memory/told.ts'
import { newIteration } from '../support/records.ts'

const record = (fields: Parameters<typeof newIteration>[0]) =>
  parseRecord({ ...newIteration(fields), iterationNumber: 1 })
const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence ${at} of a long account.`).join('\n')

const foundBy = (stored: IterationRecord) => Object.values(searchedWords(stored)).join('\n')

describe('what an iteration is found by', () => {
  it('is everything that was said, however long', () => {
    const summary = `${sentences(120)}\nThe quokka was the last word.`
    const stored = cleanIteration(record({ summary }), summary)
    expect(stored.summary.length).toBeLessThanOrEqual(2_000)
    expect(stored.summary).toMatch(/\[truncated\]$/)
    expect(stored.summary).not.toContain('quokka')
    expect(foundBy(stored)).toContain('quokka')
    expect(foundBy(fromJournalLine(toJournalLine(stored)))).toContain('quokka')
  })

  it('has no secret that the cut went through', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    for (const before of [1_970, 1_980, 1_990, 2_000]) {
      const summary = `${'word '.repeat(before / 5)}${secret} and more`
      const stored = cleanIteration(record({ summary }), summary)
      expect(foundBy(stored)).not.toContain(secret.slice(4, 16))
      expect(foundBy(stored)).not.toContain(secret.slice(-12))
    }
  })

  it('is what was committed, without its secrets', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const stored = cleanIteration(record({ committed: [`fix: the quokka\n\nNo more ${secret}.`] }))
    expect(foundBy(stored)).toContain('fix: the quokka')
    expect(foundBy(stored)).not.toContain(secret)
  })

  it('is not shown: not with a hit, and not in the id', () => {
    const written = record({ summary: 'Short.', said: 'what was said on the way', committed: ['fix: it'] })
    const stored = fromJournalLine(toJournalLine(written))
    const shown = shownOf(stored)
    expect(iterationPayload(stored, { embeddingModel: 'm', embeddingHash: 'h' })).not.toHaveProperty('said')
    expect(shown.said).toBeUndefined()
    expect(shown.committed).toBeUndefined()
    expect(iterationId(shown)).toBe(iterationId(stored))
    expect(iterationId(stored)).not.toBe(iterationId({ ...stored, summary: 'Other.' }))
  })
})

describe('parts of an iteration', () => {
  it('are its title, and title with summary where there is more that would blur them', () => {
    const told = { taskTitle: 'Build the form', summary: 'It is there.' }
    expect(partsOf(record({ ...told, errors: [], decisions: [] })).inShort).toEqual(['Build the form'])
    expect(partsOf(record({ ...told, decisions: [{ description: 'Use hooks' }] })).inShort).toEqual([
      'Build the form',
      'Build the form\nIt is there.',
    ])
  })

  it('are the first lines of what it committed', () => {
    const committed = ['feat: a form\n\nWith fields.', 'fix: its fields']
    const { inShort } = partsOf(record({ taskTitle: 'Build it', errors: [], decisions: [], committed }))
    expect(inShort).toEqual(['Build it', 'feat: a form\nfix: its fields'])
  })

  it('are three pieces from all over a long account, and none of a short one', () => {
    expect(partsOf(record({ summary: 'Short.' })).pieces).toEqual([])
    const { pieces } = partsOf(record({ summary: 'Short.', said: sentences(300) }))
    expect(pieces).toHaveLength(3)
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(900)
    expect(pieces[0]).toContain('Sentence 0 ')
    expect(pieces[2]).toMatch(/Sentence 2\d\d /)
  })

  it('are cut where a text has no lines', () => {
    const { pieces } = partsOf(record({ summary: 'x'.repeat(1_999) }))
    expect(pieces.map(({ length }) => length)).toEqual([900, 900, 199])
  })
})
