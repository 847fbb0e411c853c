import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type IterationRecord, toJournalLine } from '../../src/feature-memory/record.ts'
import {
  BROKEN_LOGIN,
  BROKEN_TOTAL,
  failed,
  journal,
  modified,
  passed,
} from '../feature-memory/ledger/journal.ts'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const meeting = { errors: [BROKEN_TOTAL], checks: [failed('npm test', [BROKEN_TOTAL])] }
const solving = {
  checks: [passed('npm test')],
  outcome: 'success' as const,
  filesTouched: modified('src/cart.ts'),
  summary: 'The discount now comes before the tax.',
}
const RECORDS = journal(meeting, solving, {
  taskId: 2,
  taskTitle: 'Log in',
  errors: [BROKEN_LOGIN],
  checks: [failed('npx vitest run', [BROKEN_LOGIN])],
})

async function project(records: readonly IterationRecord[]) {
  const folder = await temporaryFolder()
  const cwd = join(folder, 'shop')
  const home = join(folder, 'home')
  makeCheckout(cwd)
  await mkdir(home)
  const ralph = (...args: string[]) => runRalph(args, { cwd, home })
  if (records.length > 0) {
    await writeFile(
      join(cwd, 'records.jsonl'),
      records.map((record) => `${toJournalLine(record)}\n`).join(''),
    )
    expect(await ralph('memory', 'import', 'records.jsonl')).toMatchObject({ code: 0 })
  }
  return { ralph: (...args: string[]) => ralph('memory', 'errors', '--feature', 'authentication', ...args) }
}

describe('ralph memory errors', { timeout: 120_000 }, () => {
  it('tells people the life of each error, what is in the way first', async () => {
    const { ralph } = await project(RECORDS)
    const { stdout, code } = await ralph()
    expect(code).toBe(0)
    expect(stdout.indexOf('✗ open')).toBeLessThan(stdout.indexOf('✓ solved'))
    expect(stdout).toContain('src/login.ts · runtime · seen in iteration 3 (task 2 "Log in")')
    expect(stdout).toContain('npm test no longer reported it in iteration 2; it changed src/cart.ts')
    expect(stdout).toContain('The discount now comes before the tax.')
  })

  it('gives programs all of it, also of one life alone', async () => {
    const { ralph } = await project(RECORDS)
    expect((await ralph('--json')).json).toMatchObject({ errors: [{ life: 'open' }, { life: 'solved' }] })
    expect((await ralph('--json', '--life', 'solved')).json).toMatchObject({
      errors: [
        {
          id: expect.stringMatching(/^[a-p][0-9a-f]{7}$/),
          life: 'solved',
          message: BROKEN_TOTAL.message,
          file_path: 'src/cart.test.ts',
          times: 1,
          check: { command: 'npm test', kind: 'test' },
          sightings: [{ iteration: 1, task_id: 1 }],
          solutions: [{ iteration: 2, check: 'npm test', by: { iteration: 2, files: ['src/cart.ts'] } }],
        },
      ],
    })
  })

  it('says when there is nothing, and why', async () => {
    const { ralph } = await project(RECORDS)
    const none = await ralph('--life', 'came_back')
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'No error came back.\n' })
    const empty = await project([])
    expect((await empty.ralph()).stderr).toContain('Nothing has been recorded in this project yet.')
    expect((await empty.ralph('--json')).json).toEqual({ errors: [] })
  })

  it('refuses a life there is not', async () => {
    const { ralph } = await project([])
    const refused = await ralph('--life', 'dead')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('came_back')
  })
})
