import { describe, expect, it } from 'vitest'
import { ambiguousId, byShortId, idOfKind, matchingId, readId, shortId } from '../../src/text/short-id.ts'

describe('a short id', () => {
  it.each([
    ['gate', '3f2a81b0-0c1d-4e5f-8a9b-0c1d2e3f4a5b', 'g-3f2a81b0'],
    ['exchange', '7f3k2m9q0abcd', 'x-7f3k2m9q'],
    ['conversation', 'a1b2c3d4e5f60718', 'c-a1b2c3d4'],
    ['learning', 'hc79fee8', 'l-hc79fee8'],
    ['iteration', 'login-form-12', 'i-login-form-12'],
    ['task', 7, 't-7'],
    // Other programs' ids, and those that begin with the time, may all begin alike.
    ['conversation', 'conversation-about-cookies', 'c-conversation-about-cookies'],
    ['conversation', '0197a0c0-0c1d-7e5f-8a9b-0c1d2e3f4a5b', 'c-0197a0c0-0c1d-7e5f-8a9b-0c1d2e3f4a5b'],
  ] as const)('of the %s %j is %s', (kind, id, short) => {
    expect(shortId(kind, id)).toBe(short)
    expect(readId(short)[0]).toEqual({ kind, id: short.slice(2) })
  })

  it('is also read as something that is called so, and without its letter', () => {
    expect(readId('c-12ab')).toEqual([{ kind: 'conversation', id: '12ab' }, { id: 'c-12ab' }])
    expect(readId(' hc79fee8 ')).toEqual([{ id: 'hc79fee8' }])
    expect(readId('z-12')).toEqual([{ id: 'z-12' }])
    expect([readId('t7')[0], readId('i12')[0]]).toEqual([
      { kind: 'task', id: '7' },
      { kind: 'iteration', id: '12' },
    ])
    expect(idOfKind('gate', 'g-3f2a')).toBe('3f2a')
    expect(idOfKind('gate', 'k-3f2a')).toBe('k-3f2a')
  })
})

describe('what an id names', () => {
  const ids = ['abcd1234', 'abcd5678', 'abcd', 'ffff0000']
  it('is the one of that id, else all that begin so, if enough of it is there', () => {
    expect(matchingId(ids, 'abcd', String)).toEqual(['abcd'])
    expect(matchingId(ids, 'ABCD1', String)).toEqual(['abcd1234'])
    expect(matchingId(ids, 'fff', String)).toEqual([])
    expect(matchingId(['abcd1234', 'abcd5678'], 'abcd', String)).toHaveLength(2)
    expect(byShortId(ids, 'learning', 'l-abcd12', String)).toBe('abcd1234')
    expect(byShortId(['abcd1234', 'abcd5678'], 'learning', 'abcd', String)).toBeUndefined()
  })

  it('is listed with a line each where it is not clear, in ids that are', () => {
    const twins = ['3f2a81b0-0000-4000-8000-000000000001', '3f2a81b0-0000-4000-8000-000000000002']
    const { message, code } = ambiguousId('3f2a', [
      ...twins.map((id) => ({ kind: 'gate' as const, id, line: `about ${id.at(-1)}` })),
      { kind: 'learning', id: '3f2a9999', line: 'a\nlearning' },
    ])
    expect(code).toBe('invalid_input')
    expect(message.split('\n').slice(1)).toEqual([
      `  g-${twins[0]}  about 1`,
      `  g-${twins[1]}  about 2`,
      '  l-3f2a9999                              a learning',
    ])
  })
})
