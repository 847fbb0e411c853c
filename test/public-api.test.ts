import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as api from '../src/index.ts'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')

/** Every name of the index, types too. */
function exported(): string[] {
  const lists = [...read('src/index.ts').matchAll(/^export (?:type )?\{([^}]+)\} from/gm)]
  const names = lists.flatMap(([, list]) => list!.split(',')).map((name) => name.trim().replace(/^type /, ''))
  return names.filter((name) => name !== '')
}

/** The table in which docs/library.md lists every name. */
function documented(): string[] {
  const [, table] = read('docs/library.md').split('## Every name')
  return [...table!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!)
}

it('is what docs/library.md documents, no more and no less', () => {
  expect(exported().length).toBeGreaterThan(10)
  expect(exported().toSorted()).toEqual(documented().toSorted())
})

it('exports every value the documentation imports', () => {
  const imports = [...read('docs/library.md').matchAll(/^import \{ ([^}]+) \} from 'ralph-memory'/gm)]
  const names = imports.flatMap(([, list]) => list!.split(', '))
  expect(names).toContain('openRalph')
  expect(names.filter((name) => !(name in api))).toEqual([])
})
