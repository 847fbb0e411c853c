import { describe, expect, it } from 'vitest'
import { ErrorLedger, ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import { isOpen, type LedgerEntry } from '../../../src/feature-memory/ledger/ledger.ts'
import { BROKEN_LOGIN, BROKEN_TOTAL, failed, journal, modified, passed } from './journal.ts'
import { meeting, only } from './met-errors.ts'

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
