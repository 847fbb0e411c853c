import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseFeature } from '../../../src/board/current-feature.ts'
import { sessionsDir } from '../../../src/hooks/places.ts'
import { SESSION_BUDGET_TOKENS, SessionNotes } from '../../../src/hooks/session-notes.ts'
import { readReceipts } from '../../../src/receipts/read.ts'
import { loadTokenizer } from '../../../src/text/tokens.ts'
import { BASH, DEPLOY_FAILED, EDIT, FAILS, READ, SESSION, TEST_FAILED, world } from '../../hooks/support.ts'

const DEPLOY = BASH('node scripts/deploy.js')
const BUCKET = 'Error: bucket shop-assets does not exist\n    at upload (/shop/scripts/deploy.js:4:9)'

/** The project's files are older than what the records tell. */
async function withFiles(project: string, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(project, path, '..'), { recursive: true })
    await writeFile(join(project, path), '')
    await utimes(join(project, path), new Date('2026-01-01'), new Date('2026-01-01'))
  }
}

describe('before a file is read', { timeout: 120_000 }, () => {
  it('what the last change of it led to is told, once per session', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const first = await hook('PreToolUse', READ(join(project, 'src/pay.ts')))
    expect(first).toMatchObject({ code: 0, stderr: '', stopped: false })
    expect(first.context).toContain('Memory of src/pay.ts: iteration 1')
    expect(first.context).toContain(
      '"npx vitest run" failed after that, with "AssertionError: expected 100 to be 120".',
    )
    expect(first.context).toContain('Applied the rate to net prices.')
    expect((await hook('PreToolUse', READ(join(project, 'src/pay.ts')))).stdout).toBe('')
    const { receipts } = await readReceipts(ralph.config.paths.receipts)
    expect(receipts).toMatchObject([{ surface: 'hook', event: 'PreToolUse', run: SESSION, feature: 'auth' }])
  })

  it('to a sub-agent by itself: it has not read what the session was told', async () => {
    const { hook, project } = await world([TEST_FAILED])
    const read = READ(join(project, 'src/pay.ts'))
    expect((await hook('PreToolUse', { ...read, agent_id: 'a0b22ba8' })).context).toContain('expected 100')
    expect((await hook('PreToolUse', { ...read, agent_id: 'a0b22ba8' })).stdout).toBe('')
    expect((await hook('PreToolUse', read)).context).toContain('expected 100')
  })

  it('nothing is told of other files, nor when it is edited: that would come too late', async () => {
    const { hook, project } = await world([TEST_FAILED])
    for (const fields of [
      READ(join(project, 'src/other.ts')),
      READ('/etc/passwd'),
      EDIT(join(project, 'src/pay.ts')),
      { tool_name: 'Read' },
    ]) {
      expect(await hook('PreToolUse', fields)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    }
  })

  it('nor of a check that ran before the change, nor of an error that is solved', async () => {
    const check = TEST_FAILED.checks![0]!
    const before = { ...TEST_FAILED, checks: [{ ...check, changedBefore: false, changedAfter: true }] }
    const stale = await world([before])
    expect((await stale.hook('PreToolUse', READ(join(stale.project, 'src/pay.ts')))).stdout).toBe('')
    const solved = await world([
      TEST_FAILED,
      {
        ...TEST_FAILED,
        outcome: 'success',
        errors: [],
        checks: [{ ...check, result: 'passed', signatures: [] }],
      },
    ])
    expect((await solved.hook('PreToolUse', READ(join(solved.project, 'src/pay.ts')))).stdout).toBe('')
  })

  it('what the briefing has quoted is not quoted again', async () => {
    const { hook, project } = await world([TEST_FAILED])
    expect((await hook('SessionStart', { source: 'startup' })).context).toContain('expected 100 to be 120')
    const { context } = await hook('PreToolUse', READ(join(project, 'src/pay.ts')))
    expect(context).toContain('"npx vitest run" failed after that, with an error that this session was told')
    expect(context).not.toContain('expected 100')
    // Nor are the words of the run, which it has told as well.
    expect(context).not.toContain('net prices')
  })
})

describe('before a command that failed alike twice', { timeout: 120_000 }, () => {
  it('it is stopped once, with the reason; the same call then goes through', async () => {
    const { hook, project, ralph } = await world([DEPLOY_FAILED, DEPLOY_FAILED])
    await withFiles(project, 'scripts/deploy.js', 'package.json')
    const first = await hook('PreToolUse', BASH('cd . && node scripts/deploy.js 2>&1 | tail -3'))
    expect(first).toMatchObject({ code: 0, stderr: '', stopped: true })
    expect(first.context).toContain('failed in the same way in iterations 1 and 2')
    expect(first.context).toContain('bucket shop-assets does not exist')
    expect(first.context).toMatch(/^Ralph memory stopped this once: .* the same call goes through\.$/)
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
    // And when it fails again, that is no news.
    expect((await hook('PostToolUseFailure', FAILS('node scripts/deploy.js', BUCKET))).stdout).toBe('')
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
    const { receipts } = await readReceipts(ralph.config.paths.receipts)
    const { count } = await loadTokenizer()
    expect(receipts).toMatchObject([{ event: 'PreToolUse', tokens: count(first.context!) }])
  })

  it('also one of PowerShell', async () => {
    const { hook, project } = await world([DEPLOY_FAILED, DEPLOY_FAILED])
    await withFiles(project, 'scripts/deploy.js', 'package.json')
    expect(await hook('PreToolUse', { ...DEPLOY, tool_name: 'PowerShell' })).toMatchObject({ stopped: true })
  })

  it.each([
    ['that failed once', [DEPLOY_FAILED]],
    [
      'that failed in two ways',
      [
        DEPLOY_FAILED,
        {
          ...DEPLOY_FAILED,
          checks: [{ ...DEPLOY_FAILED.checks![0]!, signatures: ['error: access denied to the bucket'] }],
        },
      ],
    ],
    [
      'that has worked since',
      [
        DEPLOY_FAILED,
        DEPLOY_FAILED,
        { errors: [], checks: [{ ...DEPLOY_FAILED.checks![0]!, result: 'passed' as const, signatures: [] }] },
      ],
    ],
    [
      'after which files were changed',
      [DEPLOY_FAILED, DEPLOY_FAILED, { filesTouched: [{ path: 'src/a.ts', action: 'modified' as const }] }],
    ],
  ])('not one %s', async (_, iterations) => {
    const { hook, project } = await world(iterations)
    await withFiles(project, 'scripts/deploy.js')
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
  })

  it('not when a file of the project is newer', async () => {
    const { hook, project } = await world([DEPLOY_FAILED, DEPLOY_FAILED])
    await withFiles(project, 'scripts/deploy.js')
    await writeFile(join(project, 'settings.json'), '{}')
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
  })

  it('not a check, however often it failed', async () => {
    const { hook } = await world([TEST_FAILED, TEST_FAILED, TEST_FAILED])
    expect((await hook('PreToolUse', BASH('npx vitest run'))).stdout).toBe('')
  })

  it('never twice in a session', async () => {
    const seed = (record: typeof DEPLOY_FAILED) => ({
      ...record,
      checks: [
        ...record.checks!,
        { ...record.checks![0]!, command: 'node scripts/seed.js', signatures: ['error: no table users'] },
      ],
    })
    const { hook, project } = await world([seed(DEPLOY_FAILED), seed(DEPLOY_FAILED)])
    await withFiles(project, 'scripts/deploy.js')
    expect(await hook('PreToolUse', DEPLOY)).toMatchObject({ stopped: true })
    expect((await hook('PreToolUse', BASH('node scripts/seed.js'))).stdout).toBe('')
    await hook('SessionStart', { source: 'compact' })
    expect((await hook('PreToolUse', BASH('node scripts/seed.js'))).stdout).toBe('')
    const bySubAgent = { ...BASH('node scripts/seed.js'), agent_id: 'a0b22ba8' }
    expect((await hook('PreToolUse', bySubAgent)).stdout).toBe('')
  })

  it('as the settings say', async () => {
    const { hook, project } = await world([DEPLOY_FAILED, DEPLOY_FAILED])
    await withFiles(project, 'scripts/deploy.js')
    const settings = join(project, '.ralph/rag_config.json')
    await writeFile(settings, '{ "hooks": { "repeat": "off" } }')
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
    await writeFile(settings, '{ "hooks": { "repeat": "tell" } }')
    const told = await hook('PreToolUse', { ...DEPLOY, session_id: 'another' })
    expect(told).toMatchObject({ stopped: false, context: expect.stringContaining('bucket shop-assets') })
    expect(told.context).not.toContain('goes through')
  })

  it('the failures of the session itself count as well', async () => {
    const { hook, project } = await world([{ errors: [], summary: 'Nothing special.' }])
    await withFiles(project, 'scripts/deploy.js')
    for (let times = 0; times < 2; times++) {
      expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
      await hook('PostToolUseFailure', FAILS('node scripts/deploy.js', BUCKET))
    }
    await hook('PreToolUse', BASH('cat scripts/deploy.js'))
    const third = await hook('PreToolUse', DEPLOY)
    expect(third).toMatchObject({ stopped: true })
    expect(third.context).toContain('failed in the same way 2 times in this session')
  })

  it('but not when something was done since', async () => {
    const { hook, project } = await world([{ errors: [], summary: 'Nothing special.' }])
    await withFiles(project, 'scripts/deploy.js')
    for (let times = 0; times < 2; times++) {
      await hook('PreToolUse', DEPLOY)
      await hook('PostToolUseFailure', FAILS('node scripts/deploy.js', BUCKET))
    }
    await hook('PreToolUse', BASH('aws s3 mb s3://shop-assets'))
    expect((await hook('PreToolUse', DEPLOY)).stdout).toBe('')
  })

  it('many hooks at once stop it once', async () => {
    const { hook, project } = await world([DEPLOY_FAILED, DEPLOY_FAILED])
    await withFiles(project, 'scripts/deploy.js')
    const results = await Promise.all(Array.from({ length: 4 }, () => hook('PreToolUse', DEPLOY)))
    expect(results.filter(({ stopped }) => stopped)).toHaveLength(1)
  })
})

describe('before any tool', { timeout: 120_000 }, () => {
  it('another feature knows nothing of it', async () => {
    const { hook, project } = await world([TEST_FAILED, { feature: 'payments' }])
    chooseFeature(project, 'payments')
    expect((await hook('PreToolUse', READ(join(project, 'src/pay.ts')))).stdout).toBe('')
    chooseFeature(project, undefined)
    expect((await hook('PreToolUse', READ(join(project, 'src/pay.ts')))).context).toBeDefined()
  })

  it('also in the loop, for its feature and its run', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const env = { RALPH_LOOP_RUN: 'run-7', RALPH_FEATURE: 'auth' }
    expect((await hook('PreToolUse', READ(join(project, 'src/pay.ts')), { env })).context).toBeDefined()
    expect((await hook('SessionStart', { source: 'startup' }, { env })).stdout).toBe('')
    const { receipts } = await readReceipts(ralph.config.paths.receipts)
    expect(receipts).toMatchObject([{ run: 'run-7' }])
  })

  it('no more than a session may be told', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const notes = new SessionNotes(sessionsDir(ralph.config), 'long-session')
    expect(notes.mayShow('all that was said before', SESSION_BUDGET_TOKENS - 50)).toBe(true)
    const read = { ...READ(join(project, 'src/pay.ts')), session_id: 'long-session' }
    expect((await hook('PreToolUse', read)).stdout).toBe('')
    expect(notes.spent()).toBeLessThanOrEqual(SESSION_BUDGET_TOKENS)
  })
})
