import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeDisposableFile, writeFileAtomically } from '../../src/files/atomic-write.ts'
import { sweepTemporaries } from '../../src/files/sweep-temporaries.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const MINUTE = 60_000
const GONE = spawnSync(process.execPath, ['--version']).pid

async function leave(path: string, ageMs = 5 * MINUTE): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, 'half')
  const then = new Date(Date.now() - ageMs)
  await utimes(path, then, then)
  return path
}

describe('what a killed writer left', () => {
  it('is taken away, and nothing else', async () => {
    const folder = await temporaryFolder()
    await leave(join(folder, `tasks.yaml.${GONE}-0a1b2c3d.tmp`))
    await leave(join(folder, `tasks.yaml.${process.pid}-0a1b2c3d.tmp`), 1_500 * MINUTE)
    const kept = [
      `tasks.yaml.${GONE}-0a1b2c3e.tmp`,
      `tasks.yaml.${process.pid}-0a1b2c3e.tmp`,
      `tasks.yaml.${GONE}-0a1b2c3d`,
      `tasks.yaml.${GONE}.tmp`,
      `${GONE}-0a1b2c3d.tmp`,
      'notes.tmp',
    ]
    await leave(join(folder, kept[0]!), 0)
    for (const name of kept.slice(1)) await leave(join(folder, name))
    const folderOfThatName = `a.${GONE}-0a1b2c3d.tmp`
    await mkdir(join(folder, folderOfThatName))
    sweepTemporaries(folder)
    expect(await readdir(folder)).toEqual([...kept, folderOfThatName].sort())
  })

  it.each([
    ['durably', (path: string) => writeFileAtomically(path, 'new')],
    ['at once', async (path: string) => writeDisposableFile(path, 'new')],
  ])('goes when its file is written again, %s; what was to become another stays', async (_, write) => {
    const folder = await temporaryFolder()
    await leave(join(folder, `settings.json.${GONE}-0a1b2c3d.tmp`))
    await leave(join(folder, `other.json.${GONE}-0a1b2c3d.tmp`))
    await write(join(folder, 'settings.json'))
    expect(await readdir(folder)).toEqual([`other.json.${GONE}-0a1b2c3d.tmp`, 'settings.json'])
  })

  it('that is still being written is written again, should a clock that jumped have had it taken away', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'board.yaml')
    const content = Buffer.alloc(24_000_000, 'x')
    let isWritten = false
    const writing = writeFileAtomically(path, content).finally(() => {
      isWritten = true
    })
    let taken = 0
    while (!isWritten && taken === 0) {
      for (const name of await readdir(folder))
        if (name.endsWith('.tmp') && taken++ === 0) await rm(join(folder, name))
    }
    await writing
    expect({ taken, names: await readdir(folder) }).toEqual({ taken: 1, names: ['board.yaml'] })
    expect((await stat(path)).size).toBe(content.length)
  })

  it('goes from the folders of a project and of the user, with any command', async () => {
    const root = await temporaryFolder()
    const [project, home] = [join(root, 'shop'), join(root, 'home')]
    const places = [
      ...['', 'db', join('db', 'memory'), 'cache'].map((name) => join(project, '.ralph', name)),
      ...[home, join(home, 'models')],
    ]
    for (const place of places) await leave(join(place, `file.${GONE}-0a1b2c3d.tmp`))
    const ralph = await openRalph({ project, home, env: {} })
    await ralph.close()
    const names = await Promise.all(places.map((place) => readdir(place)))
    expect(names.flat().filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('stays where a link leads out of the project', async () => {
    const root = await temporaryFolder()
    const elsewhere = await leave(join(root, 'elsewhere', `file.${GONE}-0a1b2c3d.tmp`))
    await mkdir(join(root, 'shop', '.ralph'), { recursive: true })
    await symlink(dirname(elsewhere), join(root, 'shop', '.ralph', 'memory'))
    sweepTemporaries(join(root, 'shop', '.ralph', 'memory'))
    expect(await readdir(dirname(elsewhere))).toHaveLength(1)
  })
})
