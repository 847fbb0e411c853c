import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('shows and decides the work of this project alone, whatever id is typed', async () => {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  const run = (project: string, ...words: string[]) => {
    const cwd = join(folder, project)
    mkdirSync(join(cwd, '.ralph', 'db'), { recursive: true })
    return saidBy(words, { cwd, home })
  }
  await run('shop', 'feature', 'add', 'login')
  await run('shop', 'task', 'add', 'Build the secret form', '--feature', 'login')
  const asked = ['gate', 'request', '1', '--gate-type', 'review', '--approach', 'as agreed', '--json']
  const { gate } = JSON.parse((await run('shop', ...asked)).stdout)
  for (const id of [gate.id, gate.id.slice(0, 6)])
    for (const words of [
      ['show', id],
      ['approve', id],
      ['reject', id, '--feedback', 'no'],
    ]) {
      const refused = await run('bank', 'gate', ...words)
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no gate') })
      expect(refused.stdout + refused.stderr).not.toContain('secret')
    }
  expect((await run('shop', 'gate', 'show', gate.id.slice(0, 6))).stdout).toContain('secret')
  expect((await run('shop', 'gate', 'approve', gate.id.slice(0, 6))).stdout).toContain('Approved')
})
