import { expect, it } from 'vitest'
import { skippedTests } from '../../../src/feature-memory/extract/skipped-tests.ts'

it.each([
  ['      Tests  1 failed | 2 passed | 3 skipped (6)', 3],
  ['Test Suites: 1 skipped, 4 passed, 5 total\nTests:       2 skipped, 4 passed, 6 total', 2],
  ['=== 3 passed, 1 skipped, 1 xfailed in 0.12s ===', 1],
  ['# tests 4\n# pass 3\n# fail 0\n# skipped 1\n# todo 0', 1],
  ['ℹ pass 3\nℹ skipped 2\nℹ todo 0', 2],
  ['  3 passing (5ms)\n  1 pending', 1],
  ['test result: ok. 3 passed; 0 failed; 4 ignored; 0 measured; 0 filtered out', 4],
  ['--- SKIP: TestTax (0.00s)\n    --- SKIP: TestTax/cents (0.00s)\nPASS', 2],
  ['Tests run: 5, Failures: 0, Errors: 0, Skipped: 1', 1],
  ['Passed!  - Failed:     0, Passed:     4, Skipped:     2, Total:     6', 2],
  ['4 examples, 0 failures, 1 pending', 1],
  ['4 passed (2.1s)', 0],
  ['Skipped nothing. 12 files formatted.', 0],
])('reads how many tests were left out of %j', (output, count) => {
  expect(skippedTests(output)).toBe(count)
})
