import { describe, expect, it } from 'vitest'
import { ErrorLedger, ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import { isOpen, type LedgerEntry } from '../../../src/feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../../../src/feature-memory/record.ts'
import { errorSignature } from '../../../src/text/error-signature.ts'
import { BROKEN_LOGIN, BROKEN_TOTAL, failed, journal, modified, passed } from './journal.ts'

const meeting = {
  errors: [BROKEN_TOTAL],
  checks: [failed('npm test', [BROKEN_TOTAL])],
  outcome: 'failure' as const,
}

/** The one error of these records. */
function only(records: readonly IterationRecord[]): LedgerEntry {
  const entries = ledgerOf(records).entries()
  expect(entries).toHaveLength(1)
  return entries[0]!
}

/** Of several, the one about the total. */
function total(records: readonly IterationRecord[]): LedgerEntry | undefined {
  return ledgerOf(records)
    .entries()
    .find(({ message }) => message === BROKEN_TOTAL.message)
}

describe('an error is open', () => {
  it('when the latest run met it', () => {
    expect(only(journal(meeting))).toMatchObject({
      life: 'open',
      times: 1,
      message: BROKEN_TOTAL.message,
      filePath: 'src/cart.test.ts',
      check: { command: 'npm test', kind: 'test' },
      solutions: [],
    })
  })

  it('when later runs never ran its check, whatever they changed or said', () => {
    const records = journal(
      meeting,
      { taskId: 2, errors: [], filesTouched: modified('src/cart.ts'), summary: 'Fixed the total.' },
      {
        taskId: 2,
        errors: [],
        outcome: 'success',
        checks: [passed('npx tsc --noEmit', { kind: 'typecheck' })],
      },
    )
    expect(only(records).life).toBe('open')
  })

  it('when its task was called done while its check was left failing', () => {
    expect(only(journal({ ...meeting, outcome: 'success' }, { taskId: 2, outcome: 'success' })).life).toBe(
      'open',
    )
  })

  it('once, however often and in whatever words of the moment it was reported', () => {
    const again = { ...BROKEN_TOTAL, message: 'cart.test.ts > total: expected 91 to be 100', line: 7 }
    const entry = only(journal(meeting, meeting, { ...meeting, errors: [again] }))
    expect(entry).toMatchObject({ life: 'open', times: 3, message: again.message, line: 7 })
    expect(entry.sightings.map((run) => run.iteration)).toEqual([1, 2, 3])
  })

  it('apart from the same words about another file', () => {
    const compile = {
      message: "TS2304: Cannot find name 'Cart'.",
      type: 'compile' as const,
      command: 'npx tsc',
    }
    const records = journal({
      errors: [
        { ...compile, filePath: 'src/a.ts' },
        { ...compile, filePath: 'src/b.ts' },
      ],
    })
    expect(
      ledgerOf(records)
        .entries()
        .map((entry) => entry.filePath),
    ).toEqual(['src/b.ts', 'src/a.ts'])
  })

  it('one and the same when only one report names the file', () => {
    const { filePath: _, ...unplaced } = BROKEN_TOTAL
    expect(only(journal({ errors: [unplaced] }, meeting, { errors: [unplaced] }))).toMatchObject({
      filePath: 'src/cart.test.ts',
      times: 3,
    })
  })
})

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

describe('an error came back', () => {
  const solving = { errors: [], checks: [passed('npm test')], filesTouched: modified('src/cart.ts') }

  it('when it is seen after it was solved; the solution that held before is named', () => {
    expect(only(journal(meeting, solving, { taskId: 2 }, meeting))).toMatchObject({
      life: 'came_back',
      times: 2,
      solutions: [{ iteration: 2, cameBackIn: 4, by: { files: ['src/cart.ts'] } }],
    })
  })

  it('and is solved again', () => {
    expect(only(journal(meeting, solving, meeting, solving))).toMatchObject({
      life: 'solved',
      solutions: [{ iteration: 2, cameBackIn: 3 }, { iteration: 4 }],
    })
  })

  it('not when somebody only speaks of it', () => {
    const { command: _, ...spoken } = BROKEN_TOTAL
    expect(only(journal(meeting, solving, { errors: [spoken] }))).toMatchObject({ life: 'solved', times: 1 })
  })

  it('not when it was never shown to be gone', () => {
    expect(only(journal(meeting, { errors: [] }, meeting)).life).toBe('open')
  })

  it('not when its words tell nothing', () => {
    const bare = { message: '`npm test` failed with exit code 1', command: 'npm test' }
    const run = { errors: [bare], checks: [failed('npm test', [bare])] }
    expect(only(journal(run, solving, run))).toMatchObject({ life: 'open', solutions: [] })
  })
})

describe('an error was not seen since', () => {
  it('when twenty iterations went by without it', () => {
    const later = Array.from({ length: 20 }, () => ({ taskId: 2, errors: [] }))
    expect(only(journal(meeting, ...later.slice(1))).life).toBe('open')
    expect(only(journal(meeting, ...later)).life).toBe('not_seen_since')
  })

  it('when work on its task was finished and nothing was left reporting it', () => {
    const tool = { errors: [{ message: 'db: the store is locked' }] }
    expect(only(journal(tool)).life).toBe('open')
    expect(only(journal(tool, { outcome: 'success' })).life).toBe('not_seen_since')
    expect(only(journal({ ...tool, outcome: 'success' })).life).toBe('not_seen_since')
    expect(only(journal(tool, { taskId: 2, outcome: 'success' })).life).toBe('open')
  })
})

describe('trouble that is not the project’s', () => {
  it.each([
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    'The API was rate limited or overloaded (10 retries)',
    'Invalid API key · Fix external API key',
    'Credit balance is too low',
    'Prompt is too long',
    'The run was interrupted before it was finished',
    'The run was stopped because its time was up',
    'The run ended with error_max_turns',
    'No such tool available: Browse',
    'String to replace not found in file.',
    'File has not been read yet. Read it first before writing to it.',
    "The user doesn't want to proceed with this tool use.",
    'Permission to use Bash with command rm -rf dist has been denied.',
    "Claude requested permissions to write to /shop/a.ts, but you haven't granted it yet.",
    'PreToolUse:Bash hook error: stopped once by ralph',
  ])('never enters: %s', (message) => {
    expect(ledgerOf(journal({ errors: [{ message }] })).entries()).toEqual([])
  })

  it('is told from what a command of the project printed', () => {
    const entries = ledgerOf(
      journal({
        errors: [
          { message: 'Error: 429 rate_limit_error from the mail service', command: 'npm test' },
          { message: "EACCES: permission denied, open '/etc/shop.conf'", type: 'permission' },
        ],
      }),
    ).entries()
    expect(entries).toHaveLength(2)
  })
})

describe('what can be asked', () => {
  const records = journal(
    { ...meeting, taskId: 1 },
    { taskId: 2, errors: [BROKEN_LOGIN], checks: [failed('npm test', [BROKEN_LOGIN])] },
  )
  const ledger = ledgerOf(records)
  const messages = (entries: LedgerEntry[]) => entries.map(({ message }) => message)

  it('what is open', () => {
    expect(messages(ledger.entries().filter(isOpen))).toEqual([BROKEN_LOGIN.message])
  })

  it('what has to do with files or words', () => {
    expect(messages(ledger.related({ files: ['src/login.ts'] }))).toEqual([BROKEN_LOGIN.message])
    expect(messages(ledger.related({ files: ['lib/cart.ts'] }))).toEqual([BROKEN_TOTAL.message])
    expect(messages(ledger.related({ text: 'Make cart.test.ts pass' }))).toEqual([BROKEN_TOTAL.message])
    expect(ledger.related({ text: 'Show the total of the login', files: ['src/mail.ts'] })).toEqual([])
  })
})

it('begins empty', () => {
  expect(new ErrorLedger().entries()).toEqual([])
})
