import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** What can be read in one go, so that a part that grows is parted before it becomes two. */
const LONGEST_FILE = 300
/** What every driver must do and every caller may expect: more is a leak of one driver. */
const LONGEST_CONTRACT = 80
const CONTRACTS = [
  'search-index/search-index.ts',
  'embedding/embedder.ts',
  'language-model/language-model.ts',
  'storage/storage.ts',
]

const root = fileURLToPath(new URL('../src', import.meta.url))
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
const longerThan = (files: readonly string[], most: number) =>
  files.filter((file) => linesOf(file) > most).map((file) => `${file}: ${linesOf(file)} lines`)

it(`keeps every file within ${LONGEST_FILE} lines`, () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root })
  expect(files.length).toBeGreaterThan(300)
  expect(longerThan(files, LONGEST_FILE)).toEqual([])
})

it(`keeps every contract within ${LONGEST_CONTRACT} lines`, () => {
  expect(longerThan(CONTRACTS, LONGEST_CONTRACT)).toEqual([])
})
