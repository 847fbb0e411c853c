import { expect, it } from 'vitest'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('keeps the word of Node 22 on SQLite to itself, and no other', async () => {
  const home = await temporaryFolder()
  const warnings = ['SQLite is an experimental feature and might change at any time', 'Something else is odd']
  const program = warnings.map((text) => `process.emitWarning(${JSON.stringify(text)})`).join(';')
  // After the command has begun, as when it loads SQLite.
  const preloaded = `data:text/javascript,${encodeURIComponent(`setImmediate(() => { ${program} })`)}`
  const { code, stderr } = await runRalph(['--version'], {
    cwd: home,
    home,
    env: { NODE_OPTIONS: `--import=${preloaded}` },
  })
  expect(code).toBe(0)
  expect(stderr).toContain('Something else is odd')
  expect(stderr).not.toContain('SQLite')
})
