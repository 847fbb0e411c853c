import { describe, expect, it } from 'vitest'
import { ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import { errorSignature } from '../../../src/text/error-signature.ts'
import { BROKEN_LOGIN, BROKEN_TOTAL, failed, journal, modified, passed } from './journal.ts'
import { meeting, only, total } from './met-errors.ts'

describe('an error is solved', () => {
  const solving = {
    errors: [],
    checks: [passed('npm test')],
    outcome: 'success' as const,
    filesTouched: [...modified('src/cart.ts', 'README.md'), { path: 'src/tax.ts', action: 'read' as const }],
    summary: 'Added the discount before the tax.',
    decisions: [{ description: 'Round once, at the end' }],
  }

  it('by a later run in which its check no longer reports it', () => {
    expect(only(journal(meeting, solving))).toMatchObject({
      life: 'solved',
      solutions: [
        {
          iteration: 2,
          check: 'npm test',
          by: {
            iteration: 2,
            files: ['src/cart.ts'],
            summary: 'Added the discount before the tax.',
            decisions: ['Round once, at the end'],
          },
        },
      ],
    })
  })

  it('however the same check was written', () => {
    const written = { ...solving, checks: [passed('cd /shop && CI=1 npm test 2>&1 | tail -5')] }
    expect(ledgerOf(journal(meeting, written), { project: '/shop' }).entries()[0]?.life).toBe('solved')
  })

  it('by the very run that met it, as the check itself says, also as part of a longer line', () => {
    const line = { ...BROKEN_TOTAL, command: 'npm run build && npm test' }
    const check = passed('npm test', { cleared: [errorSignature(line.message)] })
    const entry = only(journal({ ...solving, errors: [line], checks: [passed('npm run build'), check] }))
    expect(entry).toMatchObject({ life: 'solved', check: { command: 'npm test' } })
  })

  it('by nobody in particular, when another failure had hidden it meanwhile', () => {
    const hiding = { errors: [BROKEN_LOGIN], checks: [failed('npm test', [BROKEN_LOGIN])] }
    const entry = total(journal(meeting, hiding, solving))
    expect(entry?.life).toBe('solved')
    expect(entry?.solutions[0]).not.toHaveProperty('by')
  })

  it('by the very run that met it', () => {
    const entry = only(journal({ ...solving, errors: [BROKEN_TOTAL] }))
    expect(entry).toMatchObject({ life: 'solved', times: 1, solutions: [{ by: { files: ['src/cart.ts'] } }] })
  })

  it('by a check that still fails, when it reports nothing but what it had reported along with it', () => {
    const both = {
      errors: [BROKEN_TOTAL, BROKEN_LOGIN],
      checks: [failed('npm test', [BROKEN_TOTAL, BROKEN_LOGIN])],
    }
    const one = { ...solving, errors: [BROKEN_LOGIN], checks: [failed('npm test', [BROKEN_LOGIN])] }
    const lives = Object.fromEntries(
      ledgerOf(journal(both, one))
        .entries()
        .map(({ message, life }) => [message, life]),
    )
    expect(lives).toEqual({ [BROKEN_TOTAL.message]: 'solved', [BROKEN_LOGIN.message]: 'open' })
  })

  it('by the whole suite of the runner that reported it in part', () => {
    const part = { ...BROKEN_TOTAL, command: 'npx vitest run src/cart.test.ts' }
    const whole = { ...solving, checks: [passed('npx vitest run --reporter=dot')] }
    expect(only(journal({ errors: [part], checks: [failed(part.command, [part])] }, whole)).life).toBe(
      'solved',
    )
  })

  it('by nobody in particular, when the run in which it shows changed nothing', () => {
    const entry = only(journal(meeting, { ...solving, filesTouched: modified('README.md') }))
    expect(entry.life).toBe('solved')
    expect(entry.solutions[0]).not.toHaveProperty('by')
  })

  it('by nobody in particular, when a run on something else happens to show it', () => {
    const elsewhere = {
      ...solving,
      taskId: 2,
      taskTitle: 'Mail the invoice',
      filesTouched: modified('src/mail.ts'),
      summary: 'Sends the invoice.',
    }
    const entry = only(journal(meeting, elsewhere))
    expect(entry.life).toBe('solved')
    expect(entry.solutions[0]).not.toHaveProperty('by')
  })

  it('by the run before, when that changed the file and the one in which it shows did not', () => {
    const killed = { filesTouched: modified('src/cart.ts'), summary: 'Stopped.', outcome: 'timeout' as const }
    const entry = only(journal(meeting, killed, { ...solving, filesTouched: [] }))
    // Its last words tell of its end, not of what it did.
    expect(entry.solutions[0]).toMatchObject({ iteration: 3, by: { iteration: 2, summary: '' } })
  })

  it('by the run that met it, when it changed the file after its check and the next one only looked', () => {
    const first = {
      ...meeting,
      filesTouched: modified('src/cart.ts'),
      checks: [failed('npm test', [BROKEN_TOTAL], { changedAfter: true })],
    }
    const records = journal(first, { ...solving, checks: [passed('npm test', { changedBefore: false })] })
    expect(only(records).solutions[0]).toMatchObject({ iteration: 2, by: { iteration: 1, summary: '' } })
  })

  it('and stays so with the first proof', () => {
    const records = journal(meeting, solving, {
      ...solving,
      taskId: 2,
      filesTouched: modified('src/other.ts'),
    })
    expect(only(records).solutions.map(({ iteration }) => iteration)).toEqual([2])
  })
})

describe('nothing is called solved', () => {
  const quiet = (...runs: Parameters<typeof journal>) => only(journal(...runs))

  it('because a check of another kind passed, the task was done, or another folder has the same command', () => {
    const done = { taskId: 1, outcome: 'success' as const, errors: [] }
    for (const check of [
      passed('npx tsc', { kind: 'typecheck' as const }),
      passed('npm test -- login'),
      passed('npm test', { directory: 'packages/api' }),
      passed('cd packages/api && npm test'),
      passed('npx vitest run src/login.test.ts'),
    ]) {
      const entry = quiet(meeting, { ...done, checks: [check] })
      expect(entry, check.command).toMatchObject({ life: 'open', solutions: [] })
    }
  })

  it('because a wider command passed that need not run the same', () => {
    const part = { ...BROKEN_TOTAL, command: 'npx vitest run src/cart.test.ts' }
    const entry = quiet(
      { errors: [part], checks: [failed(part.command, [part])] },
      { checks: [passed('npm test')] },
    )
    expect(entry.life).toBe('open')
  })

  it('because its check failed in another way, which may hide it', () => {
    const syntax = { message: 'SyntaxError: Unexpected token', type: 'compile' as const, command: 'npm test' }
    const masked = { errors: [syntax], checks: [failed('npm test', [syntax])] }
    const entry = total(journal(meeting, masked))
    expect(entry).toMatchObject({ life: 'not_seen_since', solutions: [] })
    const within = { errors: [BROKEN_TOTAL, syntax], checks: [failed('npm test', [syntax])] }
    const same = total(journal(within))
    expect(same).toMatchObject({ life: 'not_seen_since', solutions: [] })
  })

  it('because its check failed without saying how, or was cut', () => {
    const silent = { errors: [], checks: [failed('npm test', [])] }
    expect(quiet(meeting, silent)).toMatchObject({ life: 'open', solutions: [] })
    const cut = {
      errors: [],
      checks: [failed('npm test | tail -3', [{ message: 'Tests 1 failed | 4 passed (5)' }])],
    }
    expect(quiet(meeting, cut)).toMatchObject({ life: 'open', solutions: [] })
  })

  it('because a check that still fails was not seen whole', () => {
    const both = {
      errors: [BROKEN_TOTAL, BROKEN_LOGIN],
      checks: [failed('npm test', [BROKEN_TOTAL, BROKEN_LOGIN])],
    }
    const one = { errors: [BROKEN_LOGIN], checks: [failed('npm test', [BROKEN_LOGIN], { outputCut: true })] }
    const entry = total(journal(both, one))
    expect(entry).toMatchObject({ life: 'not_seen_since', solutions: [] })
  })

  it('because the same words are told of another file', () => {
    const compile = { message: "TS2304: Cannot find name 'Cart'.", command: 'npx tsc' }
    const here = { ...compile, filePath: 'src/a.ts' }
    const there = { ...compile, filePath: 'src/b.ts' }
    const ledger = ledgerOf(
      journal(
        { errors: [here], checks: [failed('npx tsc', [compile])] },
        { errors: [there], checks: [failed('npx tsc', [compile])] },
      ),
    )
    expect(ledger.entries().filter(({ filePath }) => filePath === 'src/a.ts')).toMatchObject([
      { life: 'not_seen_since', times: 1, solutions: [] },
    ])
    expect(ledger.entries().filter(({ filePath }) => filePath === 'src/b.ts')).toMatchObject([
      { life: 'open', times: 1 },
    ])
  })

  it('because the file it was in, or the test that reported it, was removed', () => {
    const removed = (path: string) => ({
      checks: [passed('npm test')],
      filesTouched: [{ path, action: 'deleted' as const }, ...modified('src/cart.ts')],
    })
    for (const path of ['src/cart.test.ts', 'cart.test.ts'])
      expect(quiet(meeting, removed(path), { checks: [passed('npm test')] })).toMatchObject({
        life: 'not_seen_since',
        solutions: [],
      })
    expect(quiet(meeting, removed('src/old.ts')).life).toBe('solved')
  })

  it('that was told in words alone', () => {
    const told = {
      errors: [{ message: 'The seeding fails because the port is taken' }],
      checks: [passed('npm test')],
    }
    expect(quiet(told, { checks: [passed('npm test')], outcome: 'success' })).toMatchObject({
      life: 'not_seen_since',
      solutions: [],
    })
  })

  it('when the command that met it has no result of its own in the run', () => {
    const other = { ...BROKEN_TOTAL, command: 'node --test src/cart.test.ts' }
    const entry = quiet(meeting, { errors: [other], checks: [passed('npm test')] })
    expect(entry).toMatchObject({ life: 'open', solutions: [] })
  })

  it('from records of before checks were stored', () => {
    const entry = quiet({ errors: [BROKEN_TOTAL] }, { errors: [], outcome: 'success' }, { taskId: 2 })
    expect(entry).toMatchObject({ life: 'not_seen_since', solutions: [] })
  })
})
