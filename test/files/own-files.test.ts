import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cutOwnFile, rewriteOwnFile } from '../../src/files/own-files.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('shortens a file, not the one that shares its content', async () => {
  const folder = await temporaryFolder()
  const [file, other] = [join(folder, 'journal.jsonl'), join(folder, 'other')]
  writeFileSync(file, 'one\ntwo')
  linkSync(file, other)
  await cutOwnFile(file, 4)
  expect(readFileSync(file, 'utf8')).toBe('one\n')
  expect(readFileSync(other, 'utf8')).toBe('one\ntwo')
})

it('makes no file to shorten', async () => {
  await expect(cutOwnFile(join(await temporaryFolder(), 'none'), 0)).rejects.toThrow('ENOENT')
})

it('writes over a file, whatever its length was, and not the one that shares its content', async () => {
  const folder = await temporaryFolder()
  const [file, other] = [join(folder, 'kept.json'), join(folder, 'other')]
  for (const text of ['first', 'a longer one', 'ähnlich', '']) {
    rewriteOwnFile(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
  linkSync(file, other)
  rewriteOwnFile(file, 'mine')
  expect([readFileSync(file, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['mine', ''])
})

it('writes over nothing that a link in a project leads to', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, '.ralph'))
  writeFileSync(join(folder, 'profile'), 'theirs')
  symlinkSync(join(folder, 'profile'), join(folder, '.ralph', 'kept.json'))
  expect(() => rewriteOwnFile(join(folder, '.ralph', 'kept.json'), 'ours')).toThrow('is a link')
  expect(readFileSync(join(folder, 'profile'), 'utf8')).toBe('theirs')
})
