import { describe, expect, test } from 'vitest'
import { errorSignature } from '../../src/text/error-signature.ts'
import fc from '../support/fast-check.ts'

describe('the same error', () => {
  test.each([
    ['places', 'TypeError: x is undefined (src/a.ts:8:32)', 'TypeError: x is undefined (src/a.ts:9:1)'],
    [
      'directories',
      "ENOENT: no such file, open '/home/ada/shop/config.json'",
      "ENOENT: no such file, open '/tmp/run-42/config.json'",
    ],
    ['Windows', 'cannot open C:\\Users\\ada\\a.ts', 'cannot open D:\\b\\a.ts'],
    ['file URLs', 'at file:///home/dev/shop/src/user.js:8:32', 'at /srv/app/src/user.js:9:1'],
    ['tsc places', 'src/math.ts(6,3): error TS2322: no', 'src/math.ts(16,13): error TS2322: no'],
    ['numbers', 'expected 1 to be 2', 'expected 31 to be 42.5'],
    ['durations', 'Timeout of 5000ms exceeded', 'Timeout of 200ms exceeded'],
    ['durations of any unit', 'gave up after 1m 30s', 'gave up after 900 ms'],
    ['ports', 'address already in use :::3000', 'address already in use :::8080'],
    [
      'request ids',
      'API Error: 500 {"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}',
      'API Error: 500 {"request_id":"req_022DTIpFfrt6D46L3VVrS8Gz"}',
    ],
    ['trace ids', 'trace 4bf92f3577b34da6a3ce929d0e0e4736', 'trace 00f067aa0ba902b700f067aa0ba902b7'],
    ['temporary files', 'cannot run /tmp/tmp8xk2a.py', 'cannot run /tmp/tmpq93bd.py'],
    [
      'temporary folders of the Mac',
      'no space in /var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/build-1a2b',
      'no space in /private/var/folders/ab/q1w2e3r4t5y6/T/build-3c4d',
    ],
    ['files in them', "open '/tmp/run-42/config.json'", "open '/var/tmp/x/y/config.json'"],
    ['addresses', 'segfault at 0x7ffd3a', 'segfault at 0xdeadbeef'],
    ['hosts', 'connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 10.0.0.7:5433'],
    [
      'ids',
      'job 0533890d-0fb6-4417-b1e5-628bb4870df6 failed',
      'job 80736cce-96cd-4e5b-89ae-e2f95254c2f6 failed',
    ],
    ['commits', 'bad object f21c9b7e', 'bad object afe8934c1'],
    ['times', '2026-11-16T01:33:47.279Z boom', '2026-11-17 09:00:00 boom'],
    ['colours', '\u001b[31mError\u001b[0m: boom', 'Error: boom'],
    ['spacing and case', 'Error:  Boom\n  bang', 'error: boom bang'],
    [
      'addresses on the web',
      'GET https://api.example.com/v1/users/42 failed',
      'GET https://api.example.com/v1/users/43?x=1 failed',
    ],
  ])('%s', (_, a, b) => {
    expect(errorSignature(a)).toBe(errorSignature(b))
  })
})

describe('different errors', () => {
  test.each([
    ['codes', 'TS2322: not assignable', 'TS2345: not assignable'],
    ['Rust codes', 'error[E0308]: x', 'error[E0425]: x'],
    ['names in quotes', "reading 'name'", "reading 'profile'"],
    ['files', "Cannot find module './a.js'", "Cannot find module './b.js'"],
    ['words', 'expected number', 'expected string'],
    ['hosts by name', 'getaddrinfo ENOTFOUND db.example.com', 'getaddrinfo ENOTFOUND api.example.com'],
  ])('%s', (_, a, b) => {
    expect(errorSignature(a)).not.toBe(errorSignature(b))
  })
})

test('a signature is its own signature, short, and quick to make of anything', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), (text) => {
      const signature = errorSignature(text)
      expect(signature.length).toBeLessThanOrEqual(400)
      expect(errorSignature(signature)).toBe(signature)
    }),
  )
  for (const hostile of [
    '/'.repeat(100_000),
    'a/'.repeat(50_000),
    '1,'.repeat(50_000),
    'a.b.'.repeat(30_000),
  ]) {
    expect(errorSignature(hostile).length).toBeLessThanOrEqual(400)
  }
})
