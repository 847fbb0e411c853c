import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type DemoOptions, sampleIn } from '../../src/demo/demo.ts'
import { keptSample } from '../../src/demo/kept-sample.ts'
import { version } from '../../src/version.ts'
import { temporaryFolder } from '../support/temporary.ts'

const onIteration = () => undefined

it('is made once, kept with what was decided in it, and made anew where it is not whole', async () => {
  const folder = join(await temporaryFolder(), 'sample')
  let made = 0
  const make = async ({ folder }: DemoOptions) => {
    made++
    const sample = sampleIn(folder)
    mkdirSync(sample.project)
    return sample
  }
  const ask = () => keptSample({ folder, onIteration, make })
  const [sample, other] = await Promise.all([ask(), ask()])
  expect(other).toEqual(sample)
  expect(made).toBe(1)
  const decided = join(sample.project, 'decided')
  writeFileSync(decided, 'yes')
  expect(await ask()).toEqual(sample)
  expect(existsSync(decided)).toBe(true)

  rmSync(join(folder, `complete-${version}`))
  expect(await ask()).toEqual(sample)
  expect(existsSync(decided)).toBe(false)
  expect(made).toBe(2)
})

it('is made by the next who asks when its making failed', async () => {
  const folder = join(await temporaryFolder(), 'sample')
  const fail = () => Promise.reject(new Error('no'))
  await expect(keptSample({ folder, onIteration, make: fail })).rejects.toThrow('no')
  const make = async ({ folder }: DemoOptions) => sampleIn(folder)
  expect(await keptSample({ folder, onIteration, make })).toEqual(sampleIn(folder))
})

it.skipIf(process.platform === 'win32')('is not put where somebody else has put something', async () => {
  const folder = await temporaryFolder()
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'sample'))
  await expect(keptSample({ folder: join(folder, 'sample'), onIteration })).rejects.toThrow()
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
})
