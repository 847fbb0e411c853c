import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Names that several files declare on purpose, and why. */
const SHARED: Readonly<Record<string, string>> = {
  main: 'what a program starts with, one per entrance',
  register: 'how every command of the command line adds itself',
  up: 'what every migration is called',
}

/** The page runs in a browser: a program of its own, with words of its own. */
const PAGE = 'src/dashboard/page/'
const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) => file.replaceAll('\\', '/'))

/** Of each name, the files that declare and export it. */
function declarationsIn(some: readonly string[]): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>()
  for (const file of some) {
    const declared = readFileSync(`${root}/${file}`, 'utf8').matchAll(
      /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) (\w+)/gm,
    )
    for (const [, name] of declared) places.set(name!, (places.get(name!) ?? new Set()).add(file))
  }
  return places
}

it.each([
  ['the product', files.filter((file) => !file.startsWith(PAGE)), SHARED],
  ['the page', files.filter((file) => file.startsWith(PAGE)), {}],
])('declares each exported name of %s in one file, so that it means one thing', (_, some, shared) => {
  const places = declarationsIn(some)
  const several = [...places].filter(([, declaring]) => declaring.size > 1)
  expect(places.size).toBeGreaterThan(20)
  expect(
    several.filter(([name]) => !(name in shared)).map(([name, declaring]) => [name, ...declaring]),
  ).toEqual([])
  expect(several.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(shared)))
})
