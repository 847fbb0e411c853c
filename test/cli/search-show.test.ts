import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { markRunning } from '../../src/dashboard/run-mark.ts'
import { openRalph } from '../../src/ralph.ts'
import { displayWidth } from '../../src/text/display-width.ts'
import { makeCheckout } from '../support/checkout.ts'
import { saidBy } from '../support/in-process.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const SESSION = '0f0e0d0c-1111-4222-8333-444455556666'
const ESC = '\x1b'

async function shop() {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const ralph = await openRalph({ project, home, onNotice: () => undefined, env: { RALPH_EMBEDDER: 'none' } })
  const summary = `The session cookie was lost behind the proxy, ${'because nobody had thought of it, '.repeat(12)}so it is set on the answer.`
  await ralph.featureMemory.recordIteration(
    newIteration({
      ...{ feature: 'auth', taskTitle: 'Keep people signed in', summary, sessionId: SESSION },
      errors: [{ message: 'cookie missing behind proxy', filePath: 'src/session.ts', line: 12 }],
      filesTouched: [{ path: 'src/session.ts', action: 'modified' }],
    }),
  )
  await ralph.featureMemory.recordIteration(
    newIteration({ feature: 'payments', summary: 'The cookie was read.' }),
  )
  await ralph.close()
  const at = (...words: string[]) => saidBy(words, { cwd: project, home })
  const atTerminal = (columns: number, ...words: string[]) =>
    saidBy(words, { cwd: project, home, columns, env: { FORCE_HYPERLINK: '1' } })
  return { project, home, at, atTerminal }
}

describe('ralph search', () => {
  it('takes words without quotes, names each hit by an id that show opens, and marks the words at 80 columns', async () => {
    const { at, atTerminal } = await shop()
    const { stdout, code } = await at('search', 'session', 'cookie', 'proxy', '--min-score', '0.1')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^i-auth-1 {2}✗ failure Keep people signed in\n {2}iteration · auth · 2026-02-07 · /m,
    )
    expect(stdout).toMatch(/^e-\w{8} {2}error · auth · open · /m)
    const shown = await atTerminal(60, 'recall', 'session cookie proxy', '--min-score', '0.1')
    expect(shown.stdout).toContain(`${ESC}[1m${ESC}[33msession${ESC}[39m${ESC}[22m`)
    const lines = stripVTControlCharacters(shown.stdout).split('\n')
    expect(lines.filter((line) => displayWidth(line) > 60)).toEqual([])
    expect(shown.stderr).toMatch(/ralph show [ei]-\S+ opens the first/)
    const json = JSON.parse((await at('search', 'cookie', '--json', '--type', 'iteration')).stdout)
    expect(json).toMatchObject({
      query: 'cookie',
      results: [{ id: expect.stringMatching(/^i-/), type: 'iteration' }, {}],
    })
  })

  it('looks through everything, what is worked on first among near equals', async () => {
    const { at, project } = await shop()
    makeCheckout(project, 'fix/payments-rounding')
    const { results, prefer } = JSON.parse(
      (await at('search', 'cookie', '--type', 'iteration', '--json')).stdout,
    )
    expect(prefer).toBe('payments')
    expect(results.map(({ id }: { id: string }) => id)).toContain('i-auth-1')
    const recent = await at('memory', 'recent')
    expect(recent.stderr).toContain('feature payments (branch "fix/payments-rounding")')
    expect(recent.stdout).toContain('i-payments-1')
    const chosen = await at('feature', 'use', 'auth')
    expect(chosen.code).toBe(0)
    expect((await at('memory', 'errors', '--json')).stderr).toContain('feature auth (chosen with')
  })

  it('says of a project with nothing in it what would bring something', async () => {
    const folder = await temporaryFolder()
    const said = () => saidBy(['search', 'login'], { cwd: folder, home: join(folder, 'home') })
    expect((await said()).stderr).toMatch(
      /Nothing matches "login"\. Nothing is remembered of this project yet\. Searched: project knowledge; conversations; documents; .*\n {2}→ ralph init/,
    )
    mkdirSync(join(folder, '.ralph', 'db'), { recursive: true })
    expect((await said()).stderr).toMatch(/→ ralph conversations import takes over past sessions/)
  })

  it('says of nothing what was looked through and what to try; understands times and kinds', async () => {
    const { at } = await shop()
    const none = await at('search', 'zebra', 'crossing', '--since', '2 weeks', '--type', 'learning')
    expect(none).toMatchObject({ code: 0, stdout: '' })
    expect(none.stderr).toMatch(
      /Nothing matches "zebra crossing"\. Searched: learnings of 2 features from \d{4}-\S+; scores/,
    )
    expect(none.stderr).toMatch(/without --type, --since.*--min-score 0\.2/)
    expect(await at('search', 'x', '--since', '2')).toMatchObject({ code: 2 })
    const several = await at(
      'search',
      '--type',
      'error,iteration',
      'cookie',
      'proxy',
      '--min-score',
      '0.1',
      '--json',
    )
    const kinds = JSON.parse(several.stdout).results.map(({ type }: { type: string }) => type)
    expect([...new Set(kinds)].sort()).toEqual(['error', 'iteration'])
    expect(await at('search', 'x', '--type', 'novel')).toMatchObject({ code: 2 })
    expect(await at('search', 'x', '--feature', 'ath')).toMatchObject({ code: 1 })
    expect((await at('memory', 'recent')).code).toBe(2)
  })
})

describe('ralph show', () => {
  it('opens an iteration with where to go on: the session, its files, the page where it is served', async () => {
    const { at, atTerminal, project, home } = await shop()
    const unmark = markRunning({ home, project }, 4747)
    const plain = await at('show', 'i-auth-1')
    expect(plain.stdout).toContain(`claude --resume ${SESSION}`)
    expect(plain.stdout).toContain('http://127.0.0.1:4747/features/auth/iterations/1')
    expect(plain.stdout).toContain('src/session.ts:12')
    expect(plain.stdout).not.toContain(ESC)
    const { stdout } = await atTerminal(80, 'show', 'i-auth-1')
    const file = `file://${project}/src/session.ts`
    expect(stdout).toContain(`${ESC}]8;;${file}:12${ESC}\\src/session.ts:12${ESC}]8;;${ESC}\\`)
    expect(stdout).toContain(`${ESC}]8;;http://127.0.0.1:4747/features/auth/iterations/1${ESC}\\`)
    unmark()
    expect((await at('show', 'i-auth-1')).stdout).not.toContain('127.0.0.1')
    const { kind, id, resume, record } = JSON.parse((await at('show', 'auth-1', '--json')).stdout)
    expect({ kind, id, resume }).toEqual({
      kind: 'iteration',
      id: 'i-auth-1',
      resume: `claude --resume ${SESSION}`,
    })
    expect(record.session_id).toBe(SESSION)
  })

  it('lists what an id may mean, takes that of the feature at hand, and says so of an unknown one', async () => {
    const { at } = await shop()
    const several = await at('show', 'i1')
    expect(several).toMatchObject({ code: 1, stdout: '' })
    expect(several.stderr).toMatch(
      /i-auth-1 +auth, iteration 1: Keep people signed in\n +i-payments-1 +payments/,
    )
    await at('feature', 'use', 'payments')
    expect((await at('show', 'i1')).stdout).toContain('payments, iteration 1')
    const unknown = await at('show', 'l-12345678', '--json')
    expect(unknown.code).toBe(1)
    expect(JSON.parse(unknown.stdout)).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('ralph search') },
    })
  })
})
