import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cutOwnFile } from '../../src/files/own-files.ts'
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
