import { expect, it } from 'vitest'
import { vulnerabilities } from '../../scripts/package/audit.ts'
import { differences } from '../../scripts/package/read-only.ts'
import { wrongForRelease } from '../../scripts/package/release.ts'

const DESCRIPTION = { version: '1.2.3', repository: { url: 'git+https://github.com/some/where.git' } }
const CHANGELOG = '# Changelog\n\n## 1.2.3 (2026-01-01)\n\nBetter.\n'

it('publishes what the tag says, with its changes told', () => {
  expect(wrongForRelease('v1.2.3', DESCRIPTION, CHANGELOG)).toEqual([])
})

it.each([
  ['another version', 'v1.2.4', DESCRIPTION, CHANGELOG, 'the tag says v1.2.4'],
  ['a tag without its letter', '1.2.3', DESCRIPTION, CHANGELOG, 'the tag says 1.2.3'],
  [
    'no word on its changes',
    'v1.2.3',
    DESCRIPTION,
    '## Unreleased\n\n1.2.3 is near\n',
    'nothing under 1.2.3',
  ],
  ['no repository', 'v1.2.3', { version: '1.2.3' }, CHANGELOG, 'no repository on GitHub'],
])('does not publish %s', (_, tag, description, changelog, told) => {
  const found = wrongForRelease(tag, description, changelog)
  expect(found.map(({ wrong }) => wrong)).toEqual([expect.stringContaining(told)])
})

it('tells a clean audit from vulnerabilities, and both from no answer', () => {
  expect(vulnerabilities('users', '{"vulnerabilities":{},"metadata":{}}')).toEqual([])
  const found = vulnerabilities('users', '{"vulnerabilities":{"leftpad":{"severity":"high"}}}')
  expect(found?.map(({ wrong }) => wrong)).toEqual([
    'leftpad, part of users, is known to be vulnerable (high)',
  ])
  expect(vulnerabilities('users', '{"message":"405 Method Not Allowed","statusCode":405}')).toBeUndefined()
  expect(vulnerabilities('users', '')).toBeUndefined()
})

it('sees every file that came, went or changed', () => {
  const before = new Map([
    ['kept', '1 1'],
    ['gone', '1 1'],
    ['changed', '1 1'],
  ])
  const after = new Map([
    ['kept', '1 1'],
    ['changed', '1 2'],
    ['new', '1 1'],
  ])
  expect(differences(before, after)).toEqual(['gone', 'changed', 'new'])
})
