import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withFileLock } from '../../src/files/file-lock.ts'
import { temporaryFolder } from '../support/temporary.ts'

const module = new URL('../../src/files/file-lock.ts', import.meta.url).href

async function holderProcess(path: string) {
  const code = `import(${JSON.stringify(module)}).then(({ withFileLock }) =>
    withFileLock(${JSON.stringify(path)}, async () => { console.log('held'); await new Promise(() => setInterval(() => {}, 1000)) }))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describe('file lock', () => {
  it('lets one at a time through, in order, in one process', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    let inside = 0
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map((number) =>
        withFileLock(path, async () => {
          expect(++inside).toBe(1)
          await sleep(5)
          order.push(number)
          inside--
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('goes on after work that failed', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withFileLock(path, async () => 'fine')).toBe('fine')
  })

  it('waits for another process and gives up with a next step', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    const holder = await holderProcess(path)
    await expect(withFileLock(path, async () => 'mine', { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    })
    holder.kill('SIGKILL')
    expect(await withFileLock(path, async () => 'mine')).toBe('mine')
  })

  it('waits for whoever holds it however the clock is set meanwhile', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    const child = await holderProcess(path)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    const waiting = withFileLock(path, async () => 'mine')
    await sleep(30)
    clock.mockReturnValue(Date.now() + 5 * 86_400_000)
    await sleep(30)
    child.kill('SIGKILL')
    expect(await waiting).toBe('mine')
  })

  it('is not fooled when the lock file is deleted while somebody waits', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    await withFileLock(path, async () => {
      await rm(path)
    })
    expect(await withFileLock(path, async () => 'mine')).toBe('mine')
  })

  it('can be cancelled while waiting', async () => {
    const path = join(await temporaryFolder(), 'a.lock')
    const holder = await holderProcess(path)
    const signal = AbortSignal.timeout(100)
    await expect(withFileLock(path, async () => 'mine', { signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    holder.kill('SIGKILL')
  })
})
