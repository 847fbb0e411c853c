import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  chooseFeature,
  chosenFeature,
  currentFeature,
  featuresInProgress,
} from '../../src/board/current-feature.ts'
import { makeCheckout } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FEATURES = ['auth', 'authentication', 'user profile', 'Payments2', 'general']

async function onBranch(branch: string): Promise<string> {
  const project = await temporaryFolder()
  makeCheckout(project, branch)
  return project
}

describe('which feature a session belongs to', () => {
  it.each([
    ['feature/authentication-tokens', 'authentication'],
    ['auth', 'auth'],
    ['fix/123-auth-timeout', 'auth'],
    ['anna/userProfile', 'user profile'],
    ['user_profile', 'user profile'],
    ['payments2', 'Payments2'],
    ['feature/user-profile/auth', 'user profile'],
  ])('branch %s → %s', async (branch, name) => {
    const project = await onBranch(branch)
    expect(currentFeature({ project, features: FEATURES })).toEqual({
      name,
      by: 'branch',
      reason: `branch "${branch}"`,
    })
  })

  it.each(['main', 'authority', 'fix/profile', 'payments'])('branch %s tells nothing', async (branch) => {
    const project = await onBranch(branch)
    expect(currentFeature({ project, features: FEATURES })).toMatchObject({ name: 'general', by: 'default' })
  })

  it('the choice counts more than the branch, the word of whoever started it more than both', async () => {
    const project = await onBranch('auth')
    chooseFeature(project, 'user profile')
    expect(currentFeature({ project, features: FEATURES })).toMatchObject({
      name: 'user profile',
      by: 'choice',
    })
    expect(currentFeature({ project, features: FEATURES, session: 'x' })).toMatchObject({
      name: 'x',
      by: 'session',
    })
    chooseFeature(project, undefined)
    expect(chosenFeature(project)).toBeUndefined()
    expect(currentFeature({ project, features: FEATURES })).toMatchObject({ by: 'branch' })
  })

  it('a worktree tells by its branch and by its folder', async () => {
    const main = await onBranch('main')
    const worktree = join(await temporaryFolder(), 'shop-auth')
    const gitDir = join(main, '.git', 'worktrees', 'shop-auth')
    await mkdir(worktree)
    await mkdir(gitDir, { recursive: true })
    await writeFile(join(worktree, '.git'), `gitdir: ${gitDir}\n`)
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/wip\n')
    expect(currentFeature({ project: worktree, features: FEATURES })).toMatchObject({
      name: 'auth',
      by: 'worktree',
    })
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/user-profile\n')
    expect(currentFeature({ project: worktree, features: FEATURES })).toMatchObject({ by: 'branch' })
  })

  it('the files tell when one feature knows more of them than any other', async () => {
    const project = await onBranch('main')
    const files: Record<string, string[]> = { auth: ['a.ts', 'b.ts', 'c.ts'], 'user profile': ['c.ts'] }
    const ask = (touched: string[]) =>
      currentFeature({ project, features: FEATURES, touched, filesOf: (feature) => files[feature] ?? [] })
    expect(ask(['a.ts', 'c.ts'])).toMatchObject({ name: 'auth', by: 'files' })
    expect(ask(['c.ts'])).toMatchObject({ name: 'general' })
    expect(ask(['z.ts'])).toMatchObject({ name: 'general' })
  })

  it('works without git, on a detached head, and in a folder below the repository', async () => {
    const bare = await temporaryFolder()
    expect(currentFeature({ project: bare, features: FEATURES })).toMatchObject({ by: 'default' })
    const project = await onBranch('auth')
    await writeFile(join(project, '.git', 'HEAD'), '0123456789abcdef0123456789abcdef01234567\n')
    expect(currentFeature({ project, features: FEATURES })).toMatchObject({ by: 'default' })
    const repository = await onBranch('auth')
    await mkdir(join(repository, 'packages', 'shop'), { recursive: true })
    expect(
      currentFeature({ project: join(repository, 'packages', 'shop'), features: FEATURES }),
    ).toMatchObject({
      name: 'auth',
    })
  })
})

describe('features in progress', () => {
  const task = (feature: string, status: 'pending' | 'in_progress' | 'done' | 'skipped') => ({
    feature,
    status,
  })

  it('are those with tasks left, or without any', () => {
    expect(featuresInProgress(['a', 'b', 'c'], [task('a', 'done'), task('b', 'pending')])).toEqual(['b', 'c'])
    expect(featuresInProgress(['a', 'general'], [task('a', 'skipped')])).toEqual([])
  })

  it('a started task tells one from the others', () => {
    expect(featuresInProgress(['a', 'b'], [task('a', 'pending'), task('b', 'in_progress')])).toEqual(['b'])
  })

  it('tell where a session belongs when there is just one, unless a name does', async () => {
    const project = await onBranch('main')
    const inProgress = (names: string[]) =>
      currentFeature({ project, features: FEATURES, inProgress: () => names })
    expect(inProgress(['auth'])).toEqual({
      name: 'auth',
      by: 'progress',
      reason: 'the only feature in progress',
    })
    expect(inProgress(['auth', 'Payments2'])).toMatchObject({
      name: 'general',
      reason: 'branch "main" names no feature',
    })
    const named = await onBranch('user-profile')
    expect(currentFeature({ project: named, features: FEATURES, inProgress: () => ['auth'] })).toMatchObject({
      by: 'branch',
    })
  })
})
