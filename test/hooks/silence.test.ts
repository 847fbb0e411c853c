import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countSilences, noteSilence } from '../../src/hooks/silence.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('counts the silences of this project in the last days, by their reason', async () => {
  const home = await temporaryFolder()
  const count = () => countSilences({ home, project: '/shop' })
  expect(count()).toEqual({ days: 7, late: 0, failed: 0, unreached: 0 })
  noteSilence(home, '/shop', 'PreToolUse', 'late')
  noteSilence(home, '/shop/api', 'Stop', 'late')
  noteSilence(home, '/shop', 'Stop', 'failed')
  noteSilence(home, '/other', 'Stop', 'late')
  noteSilence(home, '/shop', 'PreToolUse', 'unreached', 12)
  expect(count()).toEqual({ days: 7, late: 2, failed: 1, unreached: 12 })
})

it('leaves out old ones and lines cut short, and does not grow for ever', async () => {
  const home = await temporaryFolder()
  const folder = join(home, 'cache', 'hooks')
  mkdirSync(folder, { recursive: true })
  const old = JSON.stringify({ at: '2020-01-01T00:00:00.000Z', event: 'Stop', reason: 'late', cwd: '/shop' })
  writeFileSync(join(folder, 'silences.jsonl'), `${`${old}\n`.repeat(2_000)}{"at":"20`)
  expect(countSilences({ home, project: '/shop' }).late).toBe(0)
  noteSilence(home, '/shop', 'Stop', 'late')
  expect(countSilences({ home, project: '/shop' }).late).toBe(1)
})

it('never throws: a hook is on its way out', async () => {
  const home = join(await temporaryFolder(), 'a-file')
  writeFileSync(home, '')
  expect(() => noteSilence(home, '/shop', 'Stop', 'late')).not.toThrow()
})
