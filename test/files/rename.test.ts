import { describe, expect, it } from 'vitest'
import { renameFile, renameFileNow } from '../../src/files/rename.ts'

/** Fails as often as told, then works; says how often it was called. */
function moving(failures: number, code: string) {
  const move = (from: string, to: string) => {
    move.calls.push(`${from} → ${to}`)
    if (move.calls.length <= failures) throw Object.assign(new Error(code), { code })
  }
  move.calls = [] as string[]
  return move
}
const inTime = (move: ReturnType<typeof moving>) => async (from: string, to: string) => move(from, to)

describe.each(['EPERM', 'EACCES', 'EBUSY'])('a file that is held on Windows (%s)', (code) => {
  it('is renamed once it is let go', async () => {
    const move = moving(3, code)
    await renameFile('a', 'b', { platform: 'win32', move: inTime(move) })
    expect(move.calls).toEqual(Array(4).fill('a → b'))
    const now = moving(3, code)
    renameFileNow('a', 'b', { platform: 'win32', move: now })
    expect(now.calls).toEqual(Array(4).fill('a → b'))
  })

  it('is given up when it stays held', async () => {
    const options = { platform: 'win32', move: inTime(moving(99, code)) } as const
    await expect(renameFile('a', 'b', options)).rejects.toThrow(code)
    expect(() => renameFileNow('a', 'b', { platform: 'win32', move: moving(99, code) })).toThrow(code)
  })

  it('is no reason to wait elsewhere', async () => {
    const move = moving(1, code)
    await expect(renameFile('a', 'b', { platform: 'linux', move: inTime(move) })).rejects.toThrow(code)
    expect(() => renameFileNow('a', 'b', { platform: 'darwin', move: moving(1, code) })).toThrow(code)
    expect(move.calls).toHaveLength(1)
  })
})

it('says at once what waiting does not change', async () => {
  const move = moving(1, 'ENOENT')
  await expect(renameFile('a', 'b', { platform: 'win32', move: inTime(move) })).rejects.toThrow('ENOENT')
  expect(move.calls).toHaveLength(1)
})
