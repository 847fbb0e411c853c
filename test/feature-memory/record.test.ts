import { describe, expect, it } from 'vitest'
import { cleanIteration } from '../../src/feature-memory/clean.ts'
import {
  collectionName,
  documentId,
  embeddingText,
  fromJournalLine,
  RECORD_CAPS,
  toJournalLine,
} from '../../src/feature-memory/record.ts'
import fc from '../support/fast-check.ts'
import { iteration } from '../support/records.ts'

describe('iteration record', () => {
  it('survives the way to disk and back, with snake_case keys there', () => {
    const record = iteration({
      errors: [{ message: 'TypeError: x', type: 'runtime', filePath: 'src/a.ts', line: 3 }],
      decisions: [{ description: 'Used X', rationale: 'faster' }],
      filesTouched: [{ path: 'src/a.ts', action: 'modified' }],
      tokensUsed: 10,
      costUsd: 0.5,
    })
    const line = toJournalLine(record)
    expect(line).toContain('"files_touched":[{"path":"src/a.ts","action":"modified"}]')
    expect(fromJournalLine(line)).toEqual(record)
  })

  it('says what memory had for the run and whether it was given, also after cleaning', () => {
    const memory = { given: false, pieces: 4, holdout: 0.1 }
    const record = cleanIteration(iteration({ memory }))
    expect(toJournalLine(record)).toContain('"memory":{"given":false,"pieces":4,"holdout":0.1}')
    expect(fromJournalLine(toJournalLine(record)).memory).toEqual(memory)
    expect(iteration({}).memory).toBeUndefined()
  })

  it.each([{ holdout: 0 }, { holdout: 0.6 }, { pieces: -1 }, { pieces: 1.5 }])(
    'rejects the memory %j',
    (wrong) => {
      expect(() => iteration({ memory: { given: true, pieces: 1, ...wrong } })).toThrow(/memory\./)
    },
  )

  it('has a journal line for every text, on one line', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (summary) => {
        const line = toJournalLine(iteration({ summary }))
        expect(line).not.toMatch(/[\n\r]/)
        expect(fromJournalLine(line).summary).toBe(iteration({ summary }).summary)
      }),
    )
  })

  it('cuts long texts visibly and never inside a character', () => {
    const family = '👨‍👩‍👧‍👦'
    const { summary } = iteration({ summary: family.repeat(500) })
    expect(summary.length).toBeLessThanOrEqual(RECORD_CAPS.summary)
    expect(summary.endsWith('[truncated]')).toBe(true)
    expect(summary.replace(' [truncated]', '').replaceAll(family, '')).toBe('')
  })

  it('keeps the embedded text within its cap however much was written', () => {
    const errors = Array.from({ length: 50 }, (_, at) => ({ message: `${at} ${'long '.repeat(100)}` }))
    expect(embeddingText(iteration({ errors })).length).toBeLessThanOrEqual(RECORD_CAPS.embeddingText)
  })

  it.each(['/etc/passwd', '../secret', 'a/../../b', 'C:/Windows/x', 'nul\0byte', ''])(
    'rejects the path %j',
    (path) => {
      expect(() => iteration({ filesTouched: [{ path, action: 'read' }] })).toThrow(/files_touched\.0\.path/)
    },
  )

  it('gives the same id to the same iteration and another to every other', () => {
    const record = iteration({ iterationNumber: 7 })
    expect(documentId('/p', record)).toBe(documentId('/p', { ...record }))
    expect(documentId('/p', record)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    const others = [
      documentId('/q', record),
      documentId('/p', { ...record, feature: 'payments' }),
      documentId('/p', { ...record, iterationNumber: 8 }),
      documentId('/p', { ...record, taskId: 43 }),
    ]
    expect(new Set([documentId('/p', record), ...others]).size).toBe(5)
  })

  it('keeps the collections of two projects apart', () => {
    expect(collectionName('/a', 'auth')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}$/)
    expect(collectionName('/a', 'auth')).not.toBe(collectionName('/b', 'auth'))
    expect(collectionName('/a', 'auth')).not.toBe(collectionName('/a', 'payments'))
  })

  it.each([
    [{ outcome: 'great' }, 'outcome'],
    [{ timestamp: 'yesterday' }, 'timestamp'],
    [{ taskTitle: '' }, 'task_title'],
    [{ iterationNumber: 0 }, 'iteration_number'],
    [{ errors: [{ message: 'x', line: -1 }] }, 'errors.0.line'],
  ])('names the field that is wrong: %j', (fields, name) => {
    expect(() => iteration(fields as never)).toThrow(name)
  })
})
