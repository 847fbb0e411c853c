import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { claim } from '../../src/hooks/places.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('a claim is for the first, lapses, and is not stuck when the clock ran ahead', async () => {
  const path = join(await temporaryFolder(), 'sweep')
  const madeAt = (ms: number) => utimes(`${path}.claim`, new Date(ms), new Date(ms))
  expect([claim(path, 60_000), claim(path, 60_000)]).toEqual([true, false])
  for (const hour of [-3_600_000, 3_600_000]) {
    await madeAt(Date.now() + hour)
    expect([claim(path, 60_000), claim(path, 60_000)]).toEqual([true, false])
  }
})
