import { describe, expect, it } from 'vitest'
import { byPattern, SecretScan } from '../../src/text/secrets/finder.ts'

describe('a scan for all triggers at once', () => {
  const scan = new SecretScan([
    byPattern('long', ['abc-', 'zz'], () => /abc-\d{4}/),
    byPattern('short', ['ab'], () => /ab\d{2}/),
    byPattern('other', ['x1', 'abd'], () => /(?:x1|abd)\w/),
  ])

  it('lets a trigger that begins others stand for them, in the order of the finders', () => {
    const places = scan.places('abc-1234 ab12 ABDx x1y ab zz abc-1')
    expect(places.map(({ kind, from }) => [kind, from])).toEqual([
      ['long', 0],
      ['short', 9],
      ['other', 19],
    ])
  })

  it('sees what ends with the text, and nothing twice', () => {
    expect(scan.hasTrigger('fizz')).toBe(true)
    expect(scan.hasTrigger('fizz', 0, 3)).toBe(false)
    const twice = new SecretScan([byPattern('pair', ['ab'], () => /abab|ab/)])
    expect(twice.places('ababab').map(({ from, to }) => [from, to])).toEqual([
      [0, 4],
      [4, 6],
    ])
  })

  it('takes no letter of another script for one of a trigger', () => {
    // The Kelvin sign and the long s fold to k and s.
    expect(new SecretScan([byPattern('key', ['sk'], () => /sk/i)]).hasTrigger('s\u212a \u017fk')).toBe(false)
  })

  it('says whether there is anything to look at', () => {
    expect(scan.hasTrigger('nothing here')).toBe(false)
    expect(scan.hasTrigger('a ZZ top')).toBe(true)
  })
})
