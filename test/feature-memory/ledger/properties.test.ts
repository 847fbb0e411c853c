import { describe, expect, it } from 'vitest'
import { ErrorLedger, ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import type { IterationRecord } from '../../../src/feature-memory/record.ts'
import { errorSignature } from '../../../src/text/error-signature.ts'
import fc from '../../support/fast-check.ts'
import { failed, journal, modified, passed } from './journal.ts'

const COMMANDS = [
  'npm test',
  'npx tsc',
  'npx vitest run',
  'npx vitest run src/a.test.ts',
  'cd api && npm test',
]
const MESSAGES = [
  'TypeError: a is undefined',
  'TS2304: Cannot find name b',
  'expected 1 to be 2',
  'c.test.ts > d',
]

const message = fc.constantFrom(...MESSAGES)
const command = fc.constantFrom(...COMMANDS)
const error = fc.record({
  message,
  command: fc.option(command, { nil: undefined }),
  filePath: fc.constantFrom(undefined, 'src/a.ts', 'src/a.test.ts'),
})
const check = fc
  .tuple(command, fc.array(message, { maxLength: 3 }), fc.boolean())
  .map(([name, messages, good]) =>
    good
      ? passed(name)
      : failed(
          name,
          messages.map((text) => ({ message: text })),
        ),
  )
const run = fc.record({
  taskId: fc.integer({ min: 0, max: 3 }),
  outcome: fc.constantFrom('success' as const, 'failure' as const, 'partial' as const, 'timeout' as const),
  errors: fc.array(error, { maxLength: 3 }),
  checks: fc.array(check, { maxLength: 3 }),
  filesTouched: fc.constantFrom([], modified('src/a.ts'), modified('README.md')),
})
const journals = fc.array(run, { maxLength: 30 }).map((runs) => journal(...runs))

/** Whether a check of this record shows that it did not report these words. */
const showsGone = ({ checks }: IterationRecord, signature: string) =>
  checks.some((one) => !one.signatures.includes(signature))

describe('any journal', () => {
  it('gives the same ledger record by record, continued after a while, and as a whole', () => {
    fc.assert(
      fc.property(journals, (records) => {
        const ledger = new ErrorLedger()
        for (const [at, record] of records.entries()) {
          ledger.add(record)
          // Asking in between changes nothing.
          expect(ledger.entries()).toEqual(ledgerOf(records.slice(0, at + 1)).entries())
        }
      }),
      { numRuns: 100 },
    )
  })

  it('is told without a solution that no check shows, in the order of time', () => {
    fc.assert(
      fc.property(journals, (records) => {
        for (const entry of ledgerOf(records).entries()) {
          const met = records.filter((record) =>
            [
              ...record.errors.map((one) => errorSignature(one.message)),
              ...record.checks.flatMap(({ signatures }) => signatures),
            ].includes(entry.signature),
          )
          expect(met.map(({ iterationNumber }) => iterationNumber)).toEqual(
            expect.arrayContaining(entry.sightings.map(({ iteration }) => iteration)),
          )
          for (const [at, solution] of entry.solutions.entries()) {
            const shown = records[solution.iteration - 1]!
            expect(showsGone(shown, entry.signature)).toBe(true)
            expect(shown.checks.map((one) => one.command)).toContain(solution.check)
            expect(solution.by?.files ?? ['src/a.ts']).not.toEqual([])
            const last = at === entry.solutions.length - 1
            expect(solution.cameBackIn === undefined).toBe(last && entry.life === 'solved')
            if (solution.cameBackIn) expect(solution.cameBackIn).toBeGreaterThan(solution.iteration)
          }
          if (entry.life === 'solved') expect(entry.solutions).not.toEqual([])
          if (entry.life === 'open') expect(entry.solutions).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a long journal', () => {
  const record = (at: number) =>
    journal({
      errors: [
        {
          message: `cannot find module "part-${at % 3_000}x"`,
          command: 'npm test',
          filePath: `src/${at}.ts`,
        },
      ],
      checks: [failed(`npm run check-${at}x`, []), passed('npm test')],
      filesTouched: modified(...Array.from({ length: 30 }, (_, file) => `src/${at}-${file}.ts`)),
      summary: 'x'.repeat(2_000),
    }).map((one) => ({ ...one, iterationNumber: at + 1 }))[0]!

  it('keeps no more errors, runs or files than it can show', () => {
    const ledger = new ErrorLedger()
    for (let at = 0; at < 2_500; at++) ledger.add(record(at))
    const entries = ledger.entries()
    expect(entries.length).toBe(1_000)
    expect(entries[0]?.message).toContain('part-2499x')
    for (const entry of entries) {
      for (const { by } of entry.solutions) {
        expect(by?.files.length).toBeLessThanOrEqual(20)
        expect(by?.summary.length).toBeLessThanOrEqual(1_100)
      }
    }
  })

  it('keeps the first sighting and the latest, and counts them all', () => {
    const same = { errors: [{ message: 'TypeError: a is undefined', command: 'npm test' }] }
    const [entry] = ledgerOf(journal(...Array.from({ length: 50 }, () => same))).entries()
    expect(entry?.times).toBe(50)
    expect(entry?.sightings.map(({ iteration }) => iteration)).toEqual([
      1, 42, 43, 44, 45, 46, 47, 48, 49, 50,
    ])
  })
})
