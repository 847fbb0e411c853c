import { describe, expect, test } from 'vitest'
import { patchedFiles } from '../../src/transcripts/apply-patch.ts'
import fc from '../support/fast-check.ts'

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

describe('what a patch does to files', () => {
  test('files added, updated and deleted, in its order', () => {
    const text = patch(
      '*** Add File: src/lib/README.md',
      '+# Helpers',
      '*** Update File: /home/user/project/src/cart.js',
      '@@ export function total(cart) {',
      '-  return 1',
      '+  return 2',
      '*** Delete File: old name.txt',
    )
    expect(patchedFiles(text)).toEqual([
      { path: 'src/lib/README.md', action: 'created' },
      { path: '/home/user/project/src/cart.js', action: 'modified' },
      { path: 'old name.txt', action: 'deleted' },
    ])
  })

  test('a moved file is gone from one place and new in another', () => {
    const text = patch('*** Update File: src/money.js', '*** Move to: src/lib/money.js', '@@', '-a', '+b')
    expect(patchedFiles(text)).toEqual([
      { path: 'src/money.js', action: 'deleted' },
      { path: 'src/lib/money.js', action: 'created' },
    ])
  })

  test('a move to where it is moves nothing, and one of no file is none', () => {
    expect(patchedFiles(patch('*** Update File: a.js', '*** Move to: a.js'))).toEqual([
      { path: 'a.js', action: 'modified' },
    ])
    expect(patchedFiles(patch('*** Move to: b.js', '*** Add File: c.js', '*** Move to: d.js'))).toEqual([
      { path: 'c.js', action: 'created' },
    ])
  })

  test('what a file says about patches is no patch', () => {
    const text = patch(
      '*** Update File: docs/patch.md',
      '+*** Add File: a.js',
      '-*** Delete File: b.js',
      ' *** Update File: c.js',
    )
    expect(patchedFiles(text)).toEqual([{ path: 'docs/patch.md', action: 'modified' }])
  })

  test('lines of Windows, and a patch without its frame', () => {
    expect(
      patchedFiles('*** Update File: C:\\shop\\cart.js\r\n@@\r\n-a\r\n+b\r\n*** End of File\r\n'),
    ).toEqual([{ path: 'C:\\shop\\cart.js', action: 'modified' }])
    expect(patchedFiles('')).toEqual([])
    expect(patchedFiles('*** Add File:   ')).toEqual([])
  })

  test('whatever it is given it survives, quickly', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('*** Add File: a', '*** Update File: b', '*** Move to: c', '*** Delete File: d'),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(patchedFiles(lines.join('\n')).length).toBeLessThanOrEqual(
          2 * lines.join('\n').split('\n').length,
        )
      }),
    )
    expect(patchedFiles(`*** Add File: a${' '.repeat(100_000)}b`)).toHaveLength(1)
  })
})
