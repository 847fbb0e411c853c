import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/quality/**'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores is the machine we promise to be quick on; more workers only make the process tests flaky.
    maxWorkers: 2,
  },
})
