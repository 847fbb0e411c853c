import { describe, expect, it } from 'vitest'
import { escapeFeature, parseFeatureName, unescapeFeature } from '../../src/files/feature-name.ts'
import fc from '../support/fast-check.ts'

describe('feature name', () => {
  it('stays readable where it can', () => {
    expect(escapeFeature('user-login_2')).toBe('user-login_2')
  })

  it.each(['a/b', '..', 'C:\\x', 'Über', '🚀', 'a b', 'con', 'NUL', 'a.jsonl', '%41'])(
    'is a safe file name for %j',
    (name) => {
      expect(escapeFeature(name)).toMatch(/^[a-z0-9_%-]+$/)
      expect(escapeFeature(name)).not.toMatch(/^(con|nul|aux|prn)$/)
      expect(unescapeFeature(escapeFeature(name))).toBe(name)
    },
  )

  it('never gives two features one file, also where case is ignored', () => {
    expect(escapeFeature('Login').toLowerCase()).not.toBe(escapeFeature('login').toLowerCase())
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const same = escapeFeature(a).toLowerCase() === escapeFeature(b).toLowerCase()
        expect(same).toBe(Buffer.from(a).equals(Buffer.from(b)))
      }),
    )
  })

  it('knows the files that are not ours', () => {
    for (const name of ['Notes', '%4', '%zz', 'a.b', '%61']) expect(unescapeFeature(name)).toBeUndefined()
  })

  it('treats the two ways to write é as one', () => {
    expect(parseFeatureName('cafe\u0301')).toBe(parseFeatureName('café'))
  })

  it.each(['', '   ', 'a\nb', 'a\0b', 'x'.repeat(300), '🚀'.repeat(60)])(
    'refuses %j with a next step',
    (name) => {
      expect(() => parseFeatureName(name)).toThrow(
        expect.objectContaining({ code: 'invalid_input', hint: expect.any(String) }),
      )
    },
  )
})
