import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeDisposableFile, writeFileAtomically } from '../../src/files/atomic-write.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary.ts'

const writers = [
  ['durably', (path: string, text: string) => writeFileAtomically(path, text)],
  [
    'as something disposable',
    (path: string, text: string) => writeFileAtomically(path, text, { disposable: true }),
  ],
  ['at once', async (path: string, text: string) => writeDisposableFile(path, text)],
] as const

describe.each(writers)('a file replaced %s', (_, write) => {
  it('holds the new content, in folders made for it, and nothing is left beside it', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'a', 'b', 'file')
    await write(path, 'old')
    await write(path, 'new')
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file'])
  })

  it('is one of several written at the same time, never a mixture', async () => {
    const path = join(await temporaryFolder(), 'file')
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000))
    await Promise.all(texts.map((text) => write(path, text)))
    expect(texts).toContain(readFileSync(path, 'utf8'))
  })

  it('keeps its old content when it cannot be replaced, and the error says how to mend it', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'target'))
    await writeFile(join(folder, 'target', 'inside'), 'kept')
    await expect(write(join(folder, 'target'), 'new')).rejects.toMatchObject({
      name: 'RalphError',
      message: expect.stringContaining('target'),
      hint: expect.any(String),
    })
    expect(readdirSync(folder)).toEqual(['target'])
    expect(readFileSync(join(folder, 'target', 'inside'), 'utf8')).toBe('kept')
  })
})

it('gives a file the mode that was asked for', async () => {
  needs('modes')
  const path = join(await temporaryFolder(), 'file')
  await writeFile(path, 'old')
  chmodSync(path, 0o644)
  await writeFileAtomically(path, 'secret', { mode: 0o600 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
