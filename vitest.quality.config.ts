import { defineConfig } from 'vitest/config'

// Graded tests on public data: scores, not speed. They read ../shared/data and skip where it is absent.
export default defineConfig({
  test: { include: ['test/quality/**/*.test.ts'], testTimeout: 900_000, hookTimeout: 900_000, maxWorkers: 1 },
})
