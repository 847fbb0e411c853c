import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'

const folder = fileURLToPath(new URL('../../dist/dashboard', import.meta.url))
const MOST_BYTES = 200_000

it('is a page of at most 200 kB compressed, all its views together', async () => {
  await builtCommand()
  const files = globSync('**/*.{html,js,css,svg}', { cwd: folder })
  const sizes = files.map((file) => gzipSync(readFileSync(join(folder, file))).length)
  expect(files.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES)
})

it('brings all it needs itself: nothing in it names another place to load from', async () => {
  await builtCommand()
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const sources = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source!)
  expect(sources.length).toBeGreaterThan(1)
  expect(sources.filter((source) => !/^\/[\w./-]+$/.test(source))).toEqual([])
  const styles = globSync('**/*.css', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(styles.join('')).not.toMatch(/url\(|@import/)
})
