import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copySample } from '../../src/demo/copy-sample.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('makes files and folders that can be changed, also of a package that cannot', async () => {
  needs('modes')
  const folder = await temporaryFolder()
  const [from, to] = [join(folder, 'installed'), join(folder, 'sample')]
  mkdirSync(join(from, '.ralph', 'db'), { recursive: true })
  writeFileSync(join(from, '.ralph', 'db', 'tasks.yaml'), 'tasks: []\n')
  const installed = ['.ralph/db/tasks.yaml', '.ralph/db', '.ralph', '.']
  for (const path of installed) chmodSync(join(from, path), path.endsWith('yaml') ? 0o444 : 0o555)
  copySample(from, to)
  for (const path of installed) chmodSync(join(from, path), 0o755)
  expect(readFileSync(join(to, '.ralph/db/tasks.yaml'), 'utf8')).toBe('tasks: []\n')
  expect(installed.filter((path) => (statSync(join(to, path)).mode & 0o200) === 0)).toEqual([])
})
