import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const TASKS = `# what is to be done
tasks:
  # the first, and most important
  - id: 1
    title: Build the form   # soon
    status: pending
    feature: auth

  # waits for the first
  - id: 2
    title: Send the mail
    status: pending
    blocked_by: [1]
`

async function shop() {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const file = (name: string) => join(project, '.ralph', 'db', name)
  writeFileSync(file('tasks.yaml'), TASKS)
  const at = (...words: string[]) => saidBy(words, { cwd: project, home })
  return {
    ...{ project, home, at, file },
    text: (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : ''),
    asAgent: (...words: string[]) => saidBy(words, { cwd: project, home, env: { CLAUDECODE: '1' } }),
  }
}

describe('what is said of tasks most often', () => {
  it('takes one word and several ids, in whatever form they were printed', async () => {
    const { at, text } = await shop()
    const done = await at('task', 'done', '1', 't-2')
    expect(done.stdout).toBe('✓ Task 1 is done: Build the form\n✓ Task 2 is done: Send the mail\n')
    expect((await at('task', 'done', '#1')).stdout).toContain('Task 1 was done already')
    expect((await at('task', 'start', '1')).stdout).toContain('is in progress')
    expect(JSON.parse((await at('task', 'reopen', '1', '--json')).stdout)).toMatchObject({
      tasks: [{ id: 1, status: 'pending', before: 'in_progress' }],
    })
    const before = text('tasks.yaml')
    expect(await at('task', 'done', '1', '77')).toMatchObject({ code: 1, stdout: '' })
    expect(await at('task', 'done', 'soon')).toMatchObject({ code: 2 })
    expect(text('tasks.yaml')).toBe(before)
  })
})

describe('ralph undo', () => {
  it('is not there where nothing can be noted, which is no reason to fail', async () => {
    const { at, text, home } = await shop()
    mkdirSync(home)
    // A home in which no folder can be made, whoever runs this.
    writeFileSync(join(home, 'changes'), '')
    const done = await at('task', 'done', '1')
    expect(done).toMatchObject({ code: 0, stdout: '✓ Task 1 is done: Build the form\n' })
    expect(done.stderr).toContain('cannot be undone by ralph undo')
    expect(text('tasks.yaml')).toContain('status: done')
  })

  it('puts back to the letter what a task was, also one that is gone, and takes its own undoing back', async () => {
    const { at, text } = await shop()
    await at('task', 'done', '1', '2')
    expect((await at('undo')).stdout).toContain('Undone: task done 1 2')
    expect(text('tasks.yaml')).toBe(TASKS)
    await at('task', 'remove', '1')
    const removed = text('tasks.yaml')
    expect(removed).not.toContain('Build the form')
    const undone = await at('undo')
    expect(undone.stdout).toContain('task 1 "Build the form": comes back')
    expect(text('tasks.yaml')).toBe(TASKS)
    const again = /ralph undo (u-\d+)/.exec(undone.stderr)![1]!
    await at('undo', again)
    expect(text('tasks.yaml')).toBe(removed)
    expect((await at('undo')).stdout).toContain('Undone: task remove 1')
    expect(text('tasks.yaml')).toBe(TASKS)
  })

  it('goes back step by step, and says when nothing is left', async () => {
    const { at, text } = await shop()
    await at('task', 'set', '1', '--title', 'One')
    await at('task', 'comment', '1', 'a remark')
    await at('task', 'add', 'Third')
    expect((await at('undo')).stdout).toContain('goes again')
    expect((await at('undo', '--json')).stdout).toContain('task comment 1')
    expect((await at('undo')).stdout).toContain('title "One" → "Build the form"')
    expect(text('tasks.yaml')).toBe(TASKS)
    expect(await at('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing has been changed'),
    })
    const { changes } = JSON.parse((await at('undo', '--list', '--json')).stdout)
    expect(changes).toHaveLength(6)
    expect(changes.at(-1)).toMatchObject({ id: 1, label: 'task set 1', undone_by: expect.any(Number) })
    // The id of a task never comes back.
    expect((await at('task', 'add', 'Another')).stdout).toContain('Added task 4')
  })

  it('loses nothing that was changed since: refused where it is the same, kept where it is not', async () => {
    const { at, text, file } = await shop()
    await at('task', 'done', '1')
    writeFileSync(file('tasks.yaml'), text('tasks.yaml').replace('Send the mail', 'Send two mails # by hand'))
    expect((await at('undo')).code).toBe(0)
    expect(text('tasks.yaml')).toBe(TASKS.replace('Send the mail', 'Send two mails # by hand'))
    await at('task', 'set', '2', '--title', 'Mine')
    writeFileSync(file('tasks.yaml'), text('tasks.yaml').replace('Mine', 'Theirs'))
    const refused = await at('undo')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('task 2 has changed since (title)'),
    })
    expect(text('tasks.yaml')).toContain('Theirs')
    await at('feature', 'add', 'billing')
    await at('task', 'add', 'Uses it', '--feature', 'billing')
    const ids = JSON.parse((await at('undo', '--list', '--json')).stdout).changes as {
      id: number
      label: string
    }[]
    const added = ids.find(({ label }) => label === 'feature add billing')!
    expect(await at('undo', `u-${added.id}`)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('is in use by 1 task (3)') },
    })
  })

  it('takes back learnings with what this machine vouches for, settings, and the feature in use', async () => {
    const { at, project, home, text } = await shop()
    const believed = async () => {
      const ralph = await openRalph({
        project,
        home,
        env: { RALPH_EMBEDDER: 'none' },
        onNotice: () => undefined,
      })
      const known = await ralph.learnings.known('auth')
      await ralph.close()
      return known.map(({ text: said, source, reviewed }) => ({ said, source, reviewed }))
    }
    await at('learnings', 'add', 'Cookies are set on the answer', '--feature', 'auth', '--reason', 'seen')
    const [before] = await believed()
    const { learnings } = JSON.parse((await at('learnings', 'list', '--feature', 'auth', '--json')).stdout)
    const id = `l-${learnings[0].id.slice(0, 5)}`
    await at('learnings', 'review', id)
    expect((await believed())[0]).toMatchObject({ reviewed: true })
    await at('undo')
    expect(await believed()).toEqual([before])
    await at('learnings', 'edit', id, '--text', 'Cookies are set on the response')
    expect((await believed())[0]!.said).toContain('response')
    await at('undo')
    expect(await believed()).toEqual([before])
    await at('learnings', 'remove', id)
    expect(await believed()).toEqual([])
    await at('undo')
    expect(await believed()).toEqual([before])

    await at('config', 'set', 'search.limit', '7')
    await at('config', 'set', 'search.limit', '9')
    expect((await at('undo')).stdout).toContain('setting search.limit of the user: 9 → 7')
    await at('undo')
    expect(JSON.parse((await at('config', 'get', 'search.limit', '--json')).stdout).setting.origin).toBe(
      'default',
    )
    await at('feature', 'use', 'auth')
    await at('undo')
    expect((await at('feature', 'use')).stdout).toContain('No feature is chosen')
    expect(text('features.yaml')).toContain('Cookies are set on the answer')
  })

  it('says of what is for good that it is, and keeps no copy of a key', async () => {
    const { at, home } = await shop()
    await at('task', 'done', '1')
    await at('config', 'set', 'embedder.api_key', 'sk-verysecret')
    const refused = await at('undo')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no copy of a key is kept') })
    expect(refused.stderr).toContain('The change before it: ralph undo u-1')
    const folder = join(home, 'changes')
    const [log] = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect(readFileSync(join(folder, log!), 'utf8')).not.toContain('verysecret')
  })

  it('is for people: an agent is refused, and what it changed can be undone', async () => {
    const { at, asAgent, text } = await shop()
    await asAgent('task', 'done', '1')
    expect(await asAgent('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an agent cannot undo'),
    })
    expect(text('tasks.yaml')).toContain('status: done')
    expect((await at('undo', '--list')).stdout).toContain('by an agent')
    expect((await at('undo')).code).toBe(0)
    expect(text('tasks.yaml')).toBe(TASKS)
  })
})

describe('somebody who is killed', () => {
  async function killed(what: 'change' | 'nothing' | 'undo') {
    const opened = await shop()
    const { at, project, home } = opened
    if (what === 'undo') await at('task', 'done', '1', '2')
    const program = fileURLToPath(new URL('killed-process.ts', import.meta.url))
    const { signal } = spawnSync(process.execPath, [program, project, home, what])
    expect(signal).toBe('SIGKILL')
    return {
      ...opened,
      changes: async () => JSON.parse((await at('undo', '--list', '--json')).stdout).changes,
    }
  }

  it('between a change and its note is noted by whoever comes next, once, and can be undone', async () => {
    const { at, text, changes, home } = await killed('change')
    expect(text('tasks.yaml')).toContain('Build it thrice')
    // Another one comes after it, also in the log.
    await at('task', 'set', '1', '--title', 'Build it in time')
    const noted = { label: 'change 1 2', cut_short: true }
    expect(await changes()).toMatchObject([
      { id: 2, label: 'task set 1' },
      { id: 1, ...noted },
    ])
    expect(readdirSync(join(home, 'changes')).filter((name) => name.endsWith('.under-way'))).toEqual([])
    await at('undo')
    await at('undo')
    expect(text('tasks.yaml')).toBe(TASKS)
  })

  it('and has changed nothing in the end leaves no note', async () => {
    const { changes } = await killed('nothing')
    expect(await changes()).toEqual([])
  })

  it('in the middle of undoing is told so, before an earlier change goes instead, and can have it all again', async () => {
    const { at, text, changes } = await killed('undo')
    expect(await changes()).toMatchObject([
      { id: 2, undoes: 1, cut_short: true },
      { id: 1, undone_by: 2 },
    ])
    expect(await at('undo')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('u-1 may be undone in part') },
    })
    await at('undo', 'u-2')
    expect(text('tasks.yaml').match(/status: done/g)).toHaveLength(2)
    await at('undo', 'u-1')
    expect(text('tasks.yaml')).toBe(TASKS)
  })
})
