import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changedSince } from '../../src/hooks/changed-since.ts'
import { temporaryFolder } from '../support/temporary.ts'

const THEN = Date.parse('2026-02-07T12:00:00Z')

async function project(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, time] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), '')
    await utimes(join(folder, path), new Date(time), new Date(time))
  }
  return folder
}

const OLD = '2026-02-07T11:00:00Z'
const NEW = '2026-02-07T13:00:00Z'

describe('what has changed since', () => {
  it.each([
    ['nothing', { 'src/a.ts': OLD, 'package.json': OLD }, false],
    ['a file in a folder', { 'src/deep/a.ts': NEW }, true],
    ['settings in a file with a dot', { '.env': NEW }, true],
    [
      'what tools make',
      { 'node_modules/x/index.js': NEW, 'dist/a.js': NEW, '.git/index': NEW, 'npm.log': NEW },
      false,
    ],
    ['our own files', { '.ralph/db/memory/auth.jsonl': NEW }, false],
  ])('%s', async (_, files, changed) => {
    expect(changedSince(await project(files as unknown as Record<string, string>), THEN, () => true)).toBe(
      changed,
    )
  })

  it('only counts where it matters', async () => {
    const folder = await project({ 'src/a.ts': NEW, 'package.json': OLD })
    expect(changedSince(folder, THEN, (path) => path === 'package.json')).toBe(false)
    expect(changedSince(folder, THEN, (path) => path === 'src/a.ts')).toBe(true)
  })
})
