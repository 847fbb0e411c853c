import { describe, expect, it } from 'vitest'
import { foldersOfPackages } from '../../scripts/package/bundled.ts'
import { ALLOWED, ALLOWED_FOR_TOOLS, forbiddenLicences, isAllowed } from '../../scripts/package/licences.ts'
import { licencesPage, withoutText } from '../../scripts/package/licences-page.ts'
import type { Part } from '../../scripts/package/parts.ts'

const part = (given: Partial<Part>): Part => ({
  ...{ name: 'somebodys', version: '1.0.0', licence: 'MIT', texts: ['Do as you please.'], reach: 'bundled' },
  ...given,
})

describe('a licence', () => {
  it.each([
    'MIT',
    '(MIT)',
    'MIT OR GPL-3.0-only',
    '(GPL-3.0-only OR MIT)',
    'MIT AND ISC',
    '(MIT OR GPL-2.0-only) AND Apache-2.0',
  ])('%s is allowed', (expression) => {
    expect(isAllowed(expression, ALLOWED)).toBe(true)
  })

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'MIT AND GPL-3.0-only',
    'MIT AND (GPL-3.0-only OR AGPL-3.0-only)',
    'MPL-2.0',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE.md',
    'MIT with a twist',
    '(MIT',
    '',
  ])('"%s" is not', (expression) => {
    expect(isAllowed(expression, ALLOWED)).toBe(false)
  })

  it('of a tool may ask for more', () => {
    expect(isAllowed('MPL-2.0', ALLOWED_FOR_TOOLS)).toBe(true)
    expect(isAllowed('GPL-3.0-only', ALLOWED_FOR_TOOLS)).toBe(false)
  })

  it('that is not allowed is told with its package', () => {
    const found = forbiddenLicences([part({}), part({ name: 'theirs', licence: 'AGPL-3.0-only' })], ALLOWED)
    expect(found.map(({ wrong }) => wrong)).toEqual([
      'theirs 1.0.0 is under "AGPL-3.0-only", which is not on the list',
    ])
  })
})

it('knows the package of every module, also of one inside another', () => {
  const modules = [
    '/repo/src/cli/main.ts',
    '/repo/node_modules/zod/v4/core.js',
    '/repo/node_modules/zod/index.js',
    '\0/repo/node_modules/cross-spawn/index.js?commonjs-es-import',
    'C:\\repo\\node_modules\\@hono\\node-server\\dist\\index.mjs',
    '/repo/node_modules/which/node_modules/isexe/index.js',
    '\0rolldown/runtime.js',
  ]
  expect(foldersOfPackages(modules)).toEqual([
    'node_modules/@hono/node-server',
    'node_modules/cross-spawn',
    'node_modules/which/node_modules/isexe',
    'node_modules/zod',
  ])
})

describe('the page of licences', () => {
  const page = licencesPage([
    part({ name: 'one' }),
    part({ name: 'two' }),
    part({ name: 'beside', reach: 'installed', licence: 'Apache-2.0', texts: ['Say where it comes from.'] }),
  ])

  it('names everything, and has each text once', () => {
    expect(page).toContain('  one 1.0.0: MIT\n  two 1.0.0: MIT\n')
    expect(page).toContain('one 1.0.0, two 1.0.0\n')
    expect(page.match(/Do as you please\./g)).toHaveLength(1)
    expect(page).toContain('Say where it comes from.')
  })

  it('cannot do without a text of what is shipped', () => {
    const inside = part({ name: 'silent', texts: [] })
    expect(withoutText([part({}), inside, part({ reach: 'installed', texts: [] })])).toEqual([inside])
  })
})
