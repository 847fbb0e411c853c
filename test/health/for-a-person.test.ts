import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { animal, git, rubbish, settings } from './animal.ts'

describe('what a person has to do', () => {
  const broken: [string, (file: string) => void][] = [
    ['broken JSON', (file) => writeFileSync(file, '{ "search": ')],
    ['no object', (file) => writeFileSync(file, '[]')],
    ['a wrong type', (file) => writeFileSync(file, '{ "search": { "limit": "many" } }')],
    ['an unknown setting', (file) => writeFileSync(file, '{ "serch": {} }')],
    ['a folder in its place', (file) => mkdirSync(file)],
  ]
  it.each(broken)(
    'is told of settings with %s, of project and user, beside everything else',
    async (_, harm) => {
      const { ralph, path, home, reopen } = await animal()
      await ralph.board.addTask({ title: 'Lost', feature: 'nowhere' })
      await ralph.close()
      for (const file of [path('rag_config.json'), join(home, 'config.json')]) harm(file)
      const doctor = await reopen()
      const findings = await doctor.health.examine({ fix: true })
      const found = findings.find(({ check }) => check === 'settings')
      expect(found).toMatchObject({
        level: 'problem',
        means: expect.any(String),
        list: [expect.any(String), expect.any(String)],
      })
      expect(found!.list!.join()).toMatch(/rag_config\.json.*config\.json|config\.json.*rag_config\.json/)
      expect(findings.find(({ check }) => check === 'board')).toMatchObject({
        level: 'warning',
        hint: expect.stringContaining('ralph feature add nowhere'),
      })
      expect(findings.filter(({ level }) => level === 'problem')).toEqual([found])
      await expect(openRalph({ project: doctor.config.project, home, env: {} })).rejects.toThrow()
    },
  )

  it('is told of an environment that sets what there is not', async () => {
    const { project, home } = await animal()
    const env = { RALPH_INDEX: 'magic' }
    const ralph = await openRalph({ project, home, env, leaveOutBroken: true, onNotice: () => undefined })
    onTestFinished(() => ralph.close())
    expect(await ralph.health.check('settings')).toMatchObject({
      level: 'problem',
      detail: expect.stringContaining('RALPH_INDEX'),
    })
  })

  it('is told of files of other programs that cannot be read', async () => {
    const { ralph, project } = await animal()
    settings(project, {})
    for (const name of ['.claude/settings.json', '.mcp.json']) writeFileSync(join(project, name), '{ "a": ')
    for (const [check, name] of [
      ['hooks', '.claude/settings.json'],
      ['MCP', '.mcp.json'],
    ] as const) {
      const found = await ralph.health.check(check, { fix: true })
      expect(found).toMatchObject({ level: 'problem', hint: expect.stringContaining('editor') })
      expect(found.detail).toContain(name)
      expect(found).not.toHaveProperty('mended')
    }
  })

  it('is told of a broken board, a link, and what lies in the way of a database', async () => {
    const { ralph, path, home } = await animal()
    writeFileSync(path('db', 'tasks.yaml'), 'tasks: [')
    symlinkSync('/etc', path('db', 'elsewhere'))
    rubbish(join(home, 'ralph.db'))
    expect(await ralph.health.check('board', { fix: true })).toMatchObject({ level: 'problem' })
    expect(await ralph.health.check('links')).toMatchObject({
      level: 'warning',
      hint: expect.stringMatching('rm .*elsewhere'),
    })
    const storage = await ralph.health.check('storage', { fix: true })
    expect(storage).toMatchObject({ level: 'problem', hint: expect.stringContaining('move') })
    expect(readFileSync(join(home, 'ralph.db'), 'utf8')).toContain('no file of ours')
  })
})

describe('git', () => {
  it('is told of truly: ignored by which rule, not in it yet, or kept', async () => {
    const { ralph, project, path } = await animal()
    const found = () => ralph.health.check('git')
    expect(await found()).toMatchObject({ level: 'ok', detail: expect.stringContaining('not in git') })
    git(project, 'init', '-q')
    expect(await found()).toMatchObject({
      level: 'warning',
      detail: '1 journal in .ralph/db/memory is not in git yet',
      hint: expect.stringContaining('git add'),
    })
    writeFileSync(join(project, '.gitignore'), 'node_modules\n.ralph/\n')
    expect(await found()).toMatchObject({
      level: 'warning',
      detail: expect.stringMatching(/because of "\.ralph\/" in \.gitignore:2/),
      means: expect.stringContaining('colleagues'),
    })
    rmSync(join(project, '.gitignore'))
    git(project, 'add', '.ralph')
    expect(await found()).toMatchObject({ level: 'ok', detail: expect.stringContaining('kept in git') })
    git(project, 'add', '-f', '.ralph/cache/index.db')
    expect(await found()).toMatchObject({ level: 'warning', hint: 'git rm -r --cached .ralph/cache' })
    git(project, 'rm', '-rq', '--cached', '.ralph/cache')
    rmSync(path('db', 'features.yaml'))
    expect(await ralph.health.check('project', { fix: true })).toMatchObject({
      level: 'ok',
      mended: expect.stringContaining('.ralph/db/features.yaml back from git'),
    })
    expect(readFileSync(path('db', 'features.yaml'), 'utf8')).toContain('authentication')
  })
})
