import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { removeFolder } from '../../src/files/remove-folder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const MODULE = fileURLToPath(new URL('../../src/files/remove-folder.ts', import.meta.url))

async function tree(): Promise<{ folder: string; library: string }> {
  const folder = join(await temporaryFolder(), 'home')
  const library = join(folder, 'models', 'bin', 'onnxruntime.dll')
  await mkdir(join(library, '..'), { recursive: true })
  await mkdir(join(folder, 'run'))
  for (const path of [library, join(folder, 'models', 'a.json'), join(folder, 'run', 'mark')])
    await writeFile(path, '')
  return { folder, library }
}

/** Removes as Windows does while somebody holds a file: not, as often as told. */
function holding(held: string, times: number, code = 'EPERM') {
  const removed: string[] = []
  return {
    removed,
    remove: (path: string) => {
      if (path === held && times-- > 0) throw Object.assign(new Error(code), { code })
      rmSync(path, { recursive: true })
      removed.push(path)
    },
  }
}

it.each(['linux', 'win32'] as const)(
  'a folder goes with all that is in it, by the rules of %s',
  async (platform) => {
    const { folder } = await tree()
    expect(await removeFolder(folder, { platform })).toEqual([])
    expect(existsSync(folder)).toBe(false)
    expect(await removeFolder(folder, { platform })).toEqual([])
  },
)

describe.each(['EPERM', 'EACCES', 'EBUSY'])('a file that is held on Windows (%s)', (code) => {
  it('goes once it is let go', async () => {
    const { folder, library } = await tree()
    expect(await removeFolder(folder, { platform: 'win32', ...holding(library, 2, code) })).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  it('keeps nothing else from going', async () => {
    const { folder, library } = await tree()
    const options = { platform: 'win32', patient: false, ...holding(library, 99, code) } as const
    expect(await removeFolder(folder, options)).toEqual([library])
    expect(existsSync(library)).toBe(true)
    expect(existsSync(join(folder, 'run'))).toBe(false)
    expect(existsSync(join(folder, 'models', 'a.json'))).toBe(false)
  })
})

it('says what is wrong with a folder that nobody holds', async () => {
  const { folder, library } = await tree()
  const { remove } = holding(library, 99, 'EIO')
  await expect(removeFolder(folder, { platform: 'win32', remove })).rejects.toThrow(folder)
})

it('what a process holds is removed once it has ended, and not before', async () => {
  const { folder } = await tree()
  const code = `const { removeOnceWeEnd } = await import(process.argv[1])
    removeOnceWeEnd(process.argv[2])
    const { existsSync } = await import('node:fs')
    process.on('exit', () => console.log(existsSync(process.argv[2])))`
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', code, MODULE, folder],
    { encoding: 'utf8' },
  )
  expect([status, stdout.trim()]).toEqual([0, 'true'])
  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
})
