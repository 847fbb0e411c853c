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

it('declares each exported name in one file, so that it means one thing', () => {
  const places = new Map<string, Set<string>>()
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const declared = readFileSync(`${root}/${file}`, 'utf8').matchAll(
      /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) (\w+)/gm,
    )
    for (const [, name] of declared) places.set(name!, (places.get(name!) ?? new Set()).add(file))
  }
  const several = [...places].filter(([, files]) => files.size > 1)
  expect(places.size).toBeGreaterThan(500)
  expect(several.filter(([name]) => !(name in SHARED)).map(([name, files]) => [name, ...files])).toEqual([])
  expect(several.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(SHARED)))
})
