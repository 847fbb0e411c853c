import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SharedTurns } from '../../src/services/shared-turns.ts'
import { temporaryFolder } from '../support/temporary.ts'

const URL_OF_SERVICE = 'http://127.0.0.1:11434'
const PATIENT = { patienceMs: 30_000 }
const module = new URL('../../src/services/shared-turns.ts', import.meta.url).href

/** Another process that has the turn and does not give it back. */
async function holder(folder: string) {
  const code = `import(${JSON.stringify(module)}).then(({ SharedTurns }) =>
    new SharedTurns(${JSON.stringify(folder)}).take(${JSON.stringify(URL_OF_SERVICE)}, async () => {
      console.log('held'); await new Promise(() => setInterval(() => {}, 1000))
    }, { patienceMs: 1000 }))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

describe('a turn among processes', () => {
  it('is had by one at a time, and who asks again and again leaves a gap to the others', async () => {
    const folder = await temporaryFolder()
    const [busy, other] = [new SharedTurns(folder), new SharedTurns(folder)]
    const order: string[] = []
    const first = held()
    let waits = false
    const running = busy.take(URL_OF_SERVICE, first.work, PATIENT)
    const waiting = other.take(URL_OF_SERVICE, async () => void order.push('other'), {
      ...PATIENT,
      onWaiting: () => {
        waits = true
        first.end()
      },
    })
    await running
    for (let again = 0; again < 3; again++)
      await busy.take(URL_OF_SERVICE, async () => void order.push('busy'), PATIENT)
    await waiting
    expect(waits).toBe(true)
    expect(order).toEqual(['other', 'busy', 'busy', 'busy'])
  })

  it('is freed by a process that is killed', async () => {
    const folder = await temporaryFolder()
    const child = await holder(folder)
    const mine = new SharedTurns(folder).take(URL_OF_SERVICE, async () => 'mine', {
      ...PATIENT,
      onWaiting: () => child.kill('SIGKILL'),
    })
    expect(await mine).toBe('mine')
    expect(child.killed).toBe(true)
  })

  it('is waited for with patience, not for ever, and not by who has given up', async () => {
    const folder = await temporaryFolder()
    await holder(folder)
    const turns = new SharedTurns(folder)
    expect(await turns.take(URL_OF_SERVICE, async () => 'without', { patienceMs: 50 })).toBe('without')
    const cancel = new AbortController()
    const given = turns.take(URL_OF_SERVICE, async () => 'never', { ...PATIENT, signal: cancel.signal })
    cancel.abort()
    await expect(given).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('is of one service alone, and nobody needs one where none can be written down', async () => {
    const folder = await temporaryFolder()
    const turns = new SharedTurns(folder)
    const inside = turns.take(
      URL_OF_SERVICE,
      () => turns.take('http://gpu:11434', async () => 'both', PATIENT),
      PATIENT,
    )
    expect(await inside).toBe('both')
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await new SharedTurns(file).take(URL_OF_SERVICE, async () => 'done', PATIENT)).toBe('done')
    expect(await new SharedTurns().take(URL_OF_SERVICE, async () => 'done', PATIENT)).toBe('done')
  })
})
