import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readProjectText } from '../../src/files/project-text.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function project() {
  const folder = await temporaryFolder()
  const root = join(folder, 'shop')
  await mkdir(root)
  await writeFile(join(folder, 'outside.md'), 'not yours')
  await writeFile(join(root, 'guide.md'), 'Größe')
  return { folder, root }
}

it('reads the beginning of a text, without half a character', async () => {
  const { root } = await project()
  expect(await readProjectText(root, 'guide.md', 100)).toEqual({ kind: 'text', text: 'Größe', bytes: 7 })
  expect(await readProjectText(root, 'guide.md', 3)).toEqual({ kind: 'text', text: 'Gr', bytes: 7 })
})

it('finds the project also by a link to it', async () => {
  const { folder, root } = await project()
  await symlink(root, join(folder, 'link'))
  expect(await readProjectText(join(folder, 'link'), 'guide.md', 100)).toMatchObject({ text: 'Größe' })
})

it('tells what is missing, no text, no file, or outside of the project', async () => {
  const { folder, root } = await project()
  await writeFile(join(root, 'logo.png'), Buffer.from([0x89, 0, 1]))
  await symlink(join(folder, 'outside.md'), join(root, 'way-out.md'))
  const kind = async (path: string) => (await readProjectText(root, path, 100)).kind
  expect(await kind('nothing.md')).toBe('missing')
  expect(await kind('logo.png')).toBe('binary')
  expect(await kind('way-out.md')).toBe('refused')
  expect(await kind('../outside.md')).toBe('refused')
  expect(await kind('.')).toBe('refused')
})
