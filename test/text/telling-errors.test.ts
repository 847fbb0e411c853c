import { expect, it } from 'vitest'
import { errorSignature, isTelling } from '../../src/text/error-signature.ts'

it.each([
  '`npm test` failed with exit code 1',
  '`node build.js` was killed (exit code 137)',
  '# fail 3',
  'ℹ fail 2',
  'Tests  2 failed | 11 passed (13)',
  'Tests: 1 failed, 5 passed, 6 total',
  '2 failing',
  '=== 1 failed, 3 passed in 0.12s ===',
  'FAILED (failures=1)',
  'test result: FAILED. 1 passed; 1 failed; 0 ignored',
  'Found 3 errors in 2 files.',
  'error: could not compile `shop` (bin "shop") due to 2 previous errors',
  '✖ 4 problems (4 errors, 0 warnings)',
])('the same words may be another error: %s', (message) => {
  expect(isTelling(errorSignature(message))).toBe(false)
})

it.each([
  'TypeError: tax is not a function',
  'cart.test.ts > total: expected 90 to be 100',
  "TS2304: Cannot find name 'Cart'.",
  'error: canceling statement due to statement timeout (`node migrate.js` failed with exit code 1)',
  'login > shows 2 failed attempts: expected 3 to be 2',
  '`npm run seed` failed with exit code 1: the port is taken',
])('the same words mean the same error: %s', (message) => {
  expect(isTelling(errorSignature(message))).toBe(true)
})
