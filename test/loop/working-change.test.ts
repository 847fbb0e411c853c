import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workingChange } from '../../src/loop/working-change.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function repository() {
  const project = await temporaryFolder()
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...words], {
      cwd: project,
      encoding: 'utf8',
    }).stdout
  const put = (name: string, text: string) => writeFileSync(join(project, name), text)
  git('init', '--quiet')
  mkdirSync(join(project, '.ralph'))
  return { project, git, put }
}

it('shows what was changed and what is new, and leaves the index of git as it is', async () => {
  const { project, git, put } = await repository()
  put('known.txt', 'one\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  put('known.txt', 'two\n')
  put('ümläut file.txt', 'brand new\n')
  put('.ralph/tasks.yaml', 'tasks: []\n')
  const before = git('status', '--short')
  const change = await workingChange(project)
  expect(change).toContain('-one\n+two\n')
  expect(change).toMatch(/\+\+\+ b\/ümläut file\.txt\t?\n@@ -0,0 \+1 @@\n\+brand new\n/)
  expect(change).not.toContain('tasks.yaml')
  expect(git('status', '--short')).toBe(before)
})

it('does not take the last commit for the change where files are new', async () => {
  const { project, git, put } = await repository()
  put('known.txt', 'committed\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  expect(await workingChange(project)).toContain('+committed')
  put('new.txt', 'not yet\n')
  const change = await workingChange(project)
  expect(change).toContain('+not yet')
  expect(change).not.toContain('committed')
})

it('shows all of it before the first commit, and nothing outside of git', async () => {
  const { project, put } = await repository()
  put('new.txt', 'first of all\n')
  expect(await workingChange(project)).toContain('+first of all')
  expect(await workingChange(await temporaryFolder())).toBe('')
})
