/** Lines of a scripted agent, as JavaScript: what a real one does between its prompt and its closing words. */

/** A failing test run as vitest prints it. */
export const TAX_FAILS = ` FAIL  test/pay.test.ts > pay > adds tax
AssertionError: expected 100 to be 120 // Object.is equality
 ❯ test/pay.test.ts:12:20

 Test Files  1 failed (1)
      Tests  1 failed | 3 passed (4)
`
export const TAX_PASSES = ` ✓ test/pay.test.ts (4 tests) 12ms

 Test Files  1 passed (1)
      Tests  4 passed (4)
`
/** As above, with the test that failed left out. */
export const TAX_SKIPPED = ` ✓ test/pay.test.ts (4 tests | 1 skipped) 12ms

 Test Files  1 passed (1)
      Tests  3 passed | 1 skipped (4)
`
export const TYPE_ERROR = `src/cart.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.
`
/** A crash as node prints it. */
export const CRASH = `file:///shop/src/login.ts:42
    return user.name
                ^

TypeError: Cannot read properties of undefined (reading 'name')
    at greet (file:///shop/src/login.ts:42:17)
    at file:///shop/src/start.ts:7:3
`

const shell = (command: string, output: string, failed: boolean): string =>
  `call('Bash', { command: ${JSON.stringify(command)} }, ${JSON.stringify(failed ? `Exit code 1\n${output}` : output)}, ${failed})\n`

export const fails = (command: string, output: string): string => shell(command, output, true)
export const passes = (command: string, output = ''): string => shell(command, output, false)
/** Appends a line to a file of the project, by the Edit tool. */
export const edits = (file: string, line = `// ${file}`): string =>
  `mkdirSync(dirname(${JSON.stringify(file)}), { recursive: true })\nif (!existsSync(${JSON.stringify(file)})) writeFileSync(${JSON.stringify(file)}, '')\nedit(${JSON.stringify(file)}, /$/, ${JSON.stringify(`${line}\n`)})\n`
export const status = (value: string): string => `setStatus(${JSON.stringify(value)})\n`
export const ends = (words: string): string => `end(${JSON.stringify(words)})\n`
