import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkoutRoot } from '../../src/files/git-checkout.ts'
import { projectRoot } from '../../src/files/project-root.ts'
import { makeCheckout } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('takes no folder for a project because a sandbox has left an empty .git in it', async () => {
  const folder = await temporaryFolder()
  const inside = join(folder, 'shop', 'src')
  mkdirSync(inside, { recursive: true })
  mkdirSync(join(folder, '.git'))
  expect(projectRoot(undefined, inside)).toBe(inside)
  expect(checkoutRoot(inside)).not.toBe(folder)
  makeCheckout(folder)
  expect([projectRoot(undefined, inside), checkoutRoot(inside)]).toEqual([folder, folder])
  // A worktree points to its repository, with a file.
  writeFileSync(join(folder, 'shop', '.git'), 'gitdir: ../.git/worktrees/shop\n')
  expect([projectRoot(undefined, inside), checkoutRoot(inside)]).toEqual(Array(2).fill(join(folder, 'shop')))
})
