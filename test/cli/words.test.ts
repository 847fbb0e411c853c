import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Said, saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** What commands say to a person, in one small project. */
let project: string

beforeAll(async () => {
  const cleanUp: (() => Promise<void>)[] = []
  const folder = await temporaryFolder((undo) => cleanUp.push(undo))
  project = join(folder, 'shop')
  mkdirSync(project)
  git('init', '-q')
  await ralph('init')
  await ralph('feature', 'add', 'auth')
  await ralph('task', 'add', 'Build the form', '--feature', 'auth')
  return async () => {
    for (const undo of cleanUp) await undo()
  }
})

function git(...words: string[]): void {
  execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...words], { cwd: project })
}

async function ralph(...words: string[]): Promise<Said> {
  return saidBy(words, { cwd: project, home: join(project, '..', 'home') })
}

async function learn(text: string): Promise<Said> {
  return ralph('learnings', 'add', text, '--feature', 'auth', '--reason', 'it was seen')
}

describe('learnings that contradict each other', () => {
  it('come with the command that settles it, which does', async () => {
    await learn('Keep amounts in whole cents.')
    const { stdout } = await learn('Never keep amounts in whole cents.')
    expect(stdout.match(/contradicts/g)).toHaveLength(1)
    const settling = /→ ralph (learnings review l-\w+ --keep-this --feature auth)/
    const listed = await ralph('learnings', 'list', '--feature', 'auth')
    expect(listed.stdout.match(new RegExp(settling, 'g'))).toHaveLength(2)
    expect((await ralph(...settling.exec(stdout)![1]!.split(' '))).code).toBe(0)
    expect((await ralph('learnings', 'list', '--feature', 'auth')).stdout).not.toContain('contradicted')
  })

  it('of which none is there are asked for by a command that lists them', async () => {
    for (const words of [
      ['review', 'zzz'],
      ['remove', 'zzz'],
      ['merge', 'zzz', 'yyy'],
      ['show', 'zzz'],
    ]) {
      const { code, stdout, stderr } = await ralph('learnings', ...words, '--feature', 'auth')
      expect(stderr).toMatch(
        /error: no learning zzz.* in "auth"\n {2}→ .*ralph learnings list --feature auth/,
      )
      expect([code, stdout]).toEqual([1, ''])
    }
  })
})

it('a task of a feature that nobody has made is added, and the slip said at once', async () => {
  const { code, stdout, stderr } = await ralph('task', 'add', 'Send the mail', '--feature', 'atuh')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Added task \d+: Send the mail/)])
  expect(stderr).toMatch(
    /feature "atuh", which is not on the board\n {2}→ ralph feature add atuh, or: ralph task set/,
  )
  expect((await ralph('status')).stdout).toMatch(/not on the board: .*\n {4}→ ralph feature add atuh/)
})

describe('a gate', () => {
  it('shows the change without .ralph, says what else it changes, and how to decide', async () => {
    writeFileSync(join(project, 'form.js'), 'before\n')
    git('add', '-A')
    git('commit', '-qm', 'start')
    writeFileSync(join(project, 'form.js'), 'after\n')
    writeFileSync(join(project, '.ralph', 'rag_config.json'), '{"search": {"limit": 5}}\n')
    await ralph('task', 'set', '1', '--status', 'done')
    git('add', '-A', '-f', '.ralph')
    const { stdout } = await ralph('gate', 'request', '1', '--gate-type', 'review', '--json')
    const id = JSON.parse(stdout).gate.id.slice(0, 8)
    const shown = await ralph('gate', 'show', id)
    expect(shown.stdout).toContain('+after')
    expect(shown.stdout).not.toMatch(/^diff .*\.ralph/m)
    expect(shown.stdout).toMatch(/^Not shown, our own files: \d+ files in \.ralph/m)
    expect(shown.stdout).toContain(`! It also changes .ralph/rag_config.json: read that, too`)
    expect(shown.stderr).toMatch(
      new RegExp(`  ralph gate approve (g-)?${id}\\n  ralph gate reject (g-)?${id} --feedback`),
    )
    const whole = await ralph('gate', 'show', id, '--whole')
    expect(whole.stdout).toMatch(/^diff .*\.ralph\/rag_config\.json/m)
  })
})

it.each([
  [['task', 'add', ''], 'title: must not be empty', '`ralph task add --help` shows how.'],
  [['loop', '--task', '99'], 'there is no task 99', 'ralph task list'],
  [['conversations', 'show', 'zzz'], 'zzz', 'ralph conversations search'],
  [['show', 'zzz'], 'zzz', 'ralph search'],
  [['feature', 'show', 'nope'], 'there is no feature "nope"', 'ralph feature list'],
  [['gate', 'show', 'zzz'], 'there is no gate "zzz"', 'ralph gate list'],
])('%j fails with a next step', async (words, wrong, hint) => {
  const { code, stderr } = await ralph(...words)
  expect(stderr).toContain(wrong)
  expect(stderr).toMatch(/^ {2}→ /m)
  expect(stderr).toContain(hint)
  expect(code).toBe(1)
})

it('a board that a merge has left unfinished says so', async () => {
  const file = join(project, '.ralph', 'db', 'tasks.yaml')
  const before = readFileSync(file, 'utf8')
  const task = (title: string) => `  - id: 7\n    title: ${title}\n`
  const marks = `<<<<<<< HEAD\n${task('x')}=======\n${task('y')}>>>>>>> theirs\n`
  writeFileSync(file, `${before.trimEnd()}\n${marks}`)
  const { code, stderr } = await ralph('task', 'list')
  writeFileSync(file, before)
  expect(stderr).toMatch(/tasks\.yaml:\d+: a merge was left unfinished here/)
  expect(stderr).toContain('ralph doctor')
  expect(code).toBe(1)
})

it('what is missing is said once, also where meaning is off', async () => {
  const { stderr } = await ralph('memory', 'search', 'login', '--feature', 'nope')
  expect(stderr.match(/^note:/gm)).toHaveLength(1)
  expect(stderr).toContain('There is no memory of "nope".')
})

it('filters that nothing fits are not taken for an empty memory', async () => {
  expect((await ralph('receipts', '--run', 'nope')).stderr).toContain('No receipt is like that')
  expect((await ralph('receipts')).stderr).toContain('No receipts yet')
})

it('lines fit the terminal, and stay whole in a pipe', async () => {
  const long = `${'Look at the order of the middleware. '.repeat(5).trim()}`
  await learn(long)
  const words = ['learnings', 'list', '--feature', 'auth']
  const narrow = await saidBy(words, {
    cwd: project,
    home: join(project, '..', 'home'),
    env: { COLUMNS: '60' },
  })
  const lines = narrow.stdout.split('\n').filter((line) => !line.includes('→ ralph'))
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
  expect((await ralph(...words)).stdout).toContain(long)
})
