import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { shortHash } from '../../src/text/ids.ts'

describe('shortHash', () => {
  it('is never taken for anything but text by a YAML reader', () => {
    for (let index = 0; index < 2_000; index++) {
      const hash = shortHash(String(index), 8)
      expect(parse(`[${hash}]`)).toEqual([hash])
    }
  })
})
