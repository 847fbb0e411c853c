import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Programs that tests start are TypeScript, which older Nodes run only when told to, and Node 22 not without a word.
const nodeOptions = [
  ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ...(process.versions.node.startsWith('22.') ? ['--disable-warning=ExperimentalWarning'] : []),
].join(' ')

// Hundreds of processes load the same modules: each is compiled, and stripped of its types, by the first of them alone.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url))

/** What counts processes, memory or listeners of its own process, or is killed with it: each file in a process of its own. */
const APART = ['attacks', 'chat', 'dashboard', 'e2e', 'embedding', 'loop'].map(
  (folder) => `test/${folder}/**`,
)

export default defineConfig({
  // Parts of the dashboard's page.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Loading the same modules anew for each of 380 files is a tenth of the whole run: most files share their process.
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.{ts,tsx}'], exclude: APART, isolate: false },
      },
      { extends: true, test: { name: 'apart', include: APART.map((folder) => `${folder}/*.test.{ts,tsx}`) } },
    ],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores is the machine we promise to be quick on; more workers only make the process tests flaky.
    maxWorkers: 2,
    ...(nodeOptions && { env: { NODE_OPTIONS: nodeOptions } }),
  },
})
