import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  buildMark,
  dismissHelper,
  helperAddress,
  helperIsThere,
  isKnownAddress,
  warmMarkPath,
} from '../../src/hooks/helper-address.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('counts the name of a socket in bytes', () => {
  expect(helperAddress('/home/ann/.ralph', 'linux')).toBe('/home/ann/.ralph/run/hooks.sock')
  // 69 letters, 138 bytes: the system would cut it.
  const long = helperAddress(`/home/${'é'.repeat(69)}`, 'linux')
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(103)
  expect(long).not.toContain('é')
})

it('is a pipe on Windows, the same each time', async () => {
  const home = await temporaryFolder()
  expect(helperAddress(home, 'win32')).toMatch(/^\\\\\.\\pipe\\ralph-/)
  expect(helperAddress(home, 'win32')).toBe(helperAddress(home, 'win32'))
})

it('a helper on Windows is known by its mark: a pipe cannot be looked at', async () => {
  const home = await temporaryFolder()
  expect(helperIsThere(home, 'win32')).toBe(false)
  mkdirSync(dirname(warmMarkPath(home)), { recursive: true })
  writeFileSync(warmMarkPath(home), 'another build')
  expect(helperIsThere(home, 'win32')).toBe(false)
  writeFileSync(warmMarkPath(home), buildMark())
  expect(helperIsThere(home, 'win32')).toBe(true)
  expect(helperIsThere(home, 'linux')).toBe(false)
})

it.each(['linux', 'win32'] as const)(
  'on %s nobody comes to a helper any more once it is dismissed',
  async (platform) => {
    const home = await temporaryFolder()
    const address = helperAddress(home, platform)
    mkdirSync(join(home, 'run'), { recursive: true })
    if (platform === 'linux') writeFileSync(address, '')
    expect(isKnownAddress(address, home)).toBe(true)
    dismissHelper(home, platform)
    expect(isKnownAddress(address, home)).toBe(false)
    // Another one serves by now, under another name.
    if (platform === 'win32') expect(isKnownAddress(helperAddress(home, platform), home)).toBe(true)
    if (platform === 'win32') expect(isKnownAddress(address, home)).toBe(false)
  },
)
