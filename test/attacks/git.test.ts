import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOfGit, isListedByGit } from '../../src/documents/files/git-files.ts'
import { ignoredBy, isInGit, tracked } from '../../src/health/git.ts'
import { workingChange } from '../../src/loop/working-change.ts'
import { isIgnored, isTracked } from '../../src/setup/git-private.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A repository whose own settings name a program for everything that git starts one for,. */
async function repository() {
  const folder = await temporaryFolder()
  const project = join(folder, 'clone')
  const ran = join(folder, 'ran')
  const program = join(folder, 'program.sh')
  mkdirSync(project)
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\n`)
  chmodSync(program, 0o755)
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...words], { cwd: project })
  git('init', '--quiet')
  writeFileSync(join(project, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  signAsIf(git)
  return { folder, project, ran, program, git }
}

/** Nobody has to own a key: git asks the program that the repository names whether the signature is good. */
function signAsIf(git: (...words: string[]) => { stdout: Buffer }): void {
  const commit = String(git('cat-file', 'commit', 'HEAD').stdout)
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n'
  const signed = commit.replace('\n\n', `\n${signature}\n`)
  const file = join(String(git('rev-parse', '--absolute-git-dir').stdout).trim(), 'signed')
  writeFileSync(file, signed)
  git('update-ref', 'HEAD', String(git('hash-object', '-t', 'commit', '-w', file).stdout).trim())
}

/** All that ralph asks of git, wherever it does. */
async function askEverything(project: string): Promise<string> {
  await isInGit(project)
  await tracked(project, ['a.txt'])
  await ignoredBy(project, 'b.txt')
  isTracked(project, 'a.txt')
  isIgnored(project, 'b.txt')
  await isListedByGit(project)
  for await (const _ of filesOfGit(project));
  return workingChange(project)
}

const SETTINGS: Record<string, (program: string) => readonly (readonly [name: string, value: string])[]> = {
  'a watcher of files': (program) => [['core.fsmonitor', program]],
  'a program that shows files as text': (program) => [['diff.x.textconv', program]],
  'a program that compares': (program) => [
    ['diff.external', program],
    ['diff.x.command', program],
  ],
  'a filter of files': (program) => [
    ['filter.x.clean', program],
    ['filter.x.smudge', program],
  ],
  'a filter that must not be left out': (program) => [
    ['filter.x.process', program],
    ['filter.x.required', 'true'],
  ],
  'a filter whose name hides it': (program) => [['filter.x=y.clean', program]],
  'a checker of signatures': (program) => [
    ['log.showSignature', 'true'],
    ['gpg.program', program],
  ],
  'a pager': (program) => [
    ['core.pager', program],
    ['pager.diff', program],
    ['pager.show', 'true'],
  ],
  'a folder of hooks': (program) => [['core.hooksPath', join(program, '..', 'hooks')]],
  'a place to fetch from': (program) => [
    ['remote.origin.url', join(program, '..')],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.uploadpack', program],
    ['protocol.file.allow', 'always'],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryFormatVersion', '1'],
  ],
}

describe.skipIf(process.platform === 'win32').each(Object.entries(SETTINGS))('%s', (_, settings) => {
  it('that only the repository names is not started', async () => {
    const { folder, project, ran, program, git } = await repository()
    for (const [name, value] of settings(program)) git('config', '--local', name, value)
    const hidden = settings(program).some(([name]) => name.startsWith('filter.x='))
    writeFileSync(join(project, '.git/info/attributes'), `*.txt diff=x filter=x${hidden ? '=y' : ''}\n`)
    for (const hooks of [join(project, '.git/hooks'), join(folder, 'hooks')]) {
      mkdirSync(hooks, { recursive: true })
      for (const name of ['post-index-change', 'fsmonitor-watchman', 'pre-commit']) {
        writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${ran}\n`)
        chmodSync(join(hooks, name), 0o755)
      }
    }
    await askEverything(project)
    const blob = String(git('rev-parse', 'HEAD:a.txt').stdout).trim()
    writeFileSync(join(project, 'a.txt'), 'two\n')
    await askEverything(project)
    // Git fetches what it misses, by the program that the repository names for it.
    rmSync(join(project, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
    await askEverything(project)
    expect(existsSync(ran)).toBe(false)
  })
})

it.skipIf(process.platform === 'win32')('still shows the change', async () => {
  const { project, program, git } = await repository()
  git('config', 'diff.x.textconv', program)
  writeFileSync(join(project, '.gitattributes'), '*.txt diff=x\n')
  writeFileSync(join(project, 'a.txt'), 'two\n')
  expect(await askEverything(project)).toContain('-one\n+two\n')
})

it.skipIf(process.platform === 'win32')(
  'takes no folder of a clone for a repository because it looks like one',
  async () => {
    const { project, ran, program } = await repository()
    const bare = join(project, 'docs')
    spawnSync('git', ['init', '--quiet', '--bare', bare])
    const config = `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ..\nfsmonitor = ${program}\n`
    writeFileSync(join(bare, 'config'), config)
    await askEverything(bare)
    expect(existsSync(ran)).toBe(false)
  },
)
