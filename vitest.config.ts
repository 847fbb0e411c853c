import { defineConfig } from 'vitest/config'

// Programs that tests start are TypeScript, which older Nodes run only when told to, and Node 22 not without a word.
const nodeOptions = [
  ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ...(process.versions.node.startsWith('22.') ? ['--disable-warning=ExperimentalWarning'] : []),
].join(' ')

export default defineConfig({
  // Parts of the dashboard's page.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores is the machine we promise to be quick on; more workers only make the process tests flaky.
    maxWorkers: 2,
    ...(nodeOptions && { env: { NODE_OPTIONS: nodeOptions } }),
  },
})
