import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findFailures } from '../../../src/feature-memory/extract/failures/find-failures.ts'

/** `type file:line message`. */
function found(text: string, command = ''): string[] {
  return findFailures(text, command).map(({ type, file, line, message }) =>
    [type, `${file ?? '-'}${line ? `:${line}` : ''}`, message].join(' '),
  )
}

/** What the programs really printed, on failing code made for it. */
const PRINTED: Record<string, (string | RegExp)[]> = {
  'vitest.txt': [
    /^test src\/broken\.test\.ts:1 src\/broken\.test\.ts: Error: Cannot find module '\.\/missing\.ts'/,
    "test src/user.ts:1 src/user.test.ts > greet > without profile: TypeError: Cannot read properties of undefined (reading 'name')",
    "test src/user.test.ts:5 src/user.test.ts > greet > upper: AssertionError: expected 'Hello A' to be 'Hello B' // Object.is equality",
    'test src/user.test.ts:6 src/user.test.ts > greet > object: AssertionError: expected { a: 1, b: { c: 2 } } to deeply equal { a: 1, b: { c: 3 } }',
  ],
  'vitest-tail.txt': ['test - Tests 3 failed (3)'],
  'node-test-tap.txt': [
    'test file:///home/dev/shop/test/a.test.js:4 inner fails: AssertionError: Expected values to be strictly equal: 1 !== 2',
    /^test file:\/\/\/home\/dev\/shop\/test\/a\.test\.js:5 deep: AssertionError: Expected values to be strictly deep-equal/,
    "test file:///home/dev/shop/test/a.test.js:7 throws: TypeError: Cannot read properties of null (reading 'foo')",
  ],
  'node-test-spec.txt': [
    /^test .*\/test\/a\.test\.js:4 inner fails: AssertionError: Expected values to be strictly equal: 1 !== 2/,
    /^test .*\/test\/a\.test\.js:5 deep: AssertionError: Expected values to be strictly deep-equal/,
    /^test .*\/test\/a\.test\.js:7 throws: TypeError: Cannot read properties of null \(reading 'foo'\)/,
  ],
  'jest.txt': [
    'test src/sum.test.js:3 sum › adds: expect(received).toBe(expected) // Object.is equality Expected: 3 Received: 2',
    "test src/sum.js:2 sum › crashes: TypeError: Cannot read properties of undefined (reading 'd')",
    /^test mt\/a\.spec\.js:3 outer › inner › fails: assert\.strictEqual\(received, expected\)/,
    "test mt/a.spec.js:4 outer › inner › throws: TypeError: Cannot read properties of null (reading 'x')",
    "test src/suite.test.js:1 src/suite.test.js: Cannot find module './nope' from 'src/suite.test.js'",
  ],
  'mocha.txt': [
    'test mt/a.spec.js:3 outer inner fails: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2',
    "test mt/a.spec.js:4 outer inner throws: TypeError: Cannot read properties of null (reading 'x')",
  ],
  'pytest.txt': [
    "test shop.py:2 TestPrice::test_missing: KeyError: 'price'",
    /^test tests\/test_shop\.py:9 test_double\[2\]: AssertionError: assert 4 == 2/,
    'test tests/test_shop.py:12 test_fixture: RuntimeError: no database',
  ],
  'pytest-short.txt': [
    "test shop.py:2 TestPrice::test_missing: KeyError: 'price'",
    /^test tests\/test_shop\.py:9 test_double\[2\]/,
    'test tests/test_shop.py:12 test_fixture: RuntimeError: no database',
  ],
  'pytest-no-traceback.txt': [
    "test tests/test_shop.py TestPrice::test_missing: KeyError: 'price'",
    'test tests/test_shop.py test_double[2]: AssertionError: assert 4 == 2',
    'test tests/test_shop.py test_fixture: RuntimeError: no database',
  ],
  'pytest-collection.txt': [
    "test tests/test_import.py:1 tests/test_import.py: ModuleNotFoundError: No module named 'nothing_here'",
  ],
  'unittest.txt': [
    "test /home/dev/shop/shop.py:2 test_err: KeyError: 'price'",
    'test /home/dev/shop/tests/uni.py:5 test_eq: AssertionError: 1 != 2',
  ],
  'cargo-test.txt': [
    'test src/lib.rs:6 tests::adds: assertion `left == right` failed left: 3 right: 4',
    'test src/lib.rs:8 tests::unwraps: called `Option::unwrap()` on a `None` value',
  ],
  'cargo-build.txt': [
    'compile src/lib.rs:1 E0308: mismatched types',
    'compile src/lib.rs:2 E0425: cannot find function `undefined_fn` in this scope',
  ],
  'cargo-run.txt': ['runtime src/bin/m.rs:1 panicked: index out of bounds: the len is 0 but the index is 3'],
  'clippy.txt': ['lint src/lib.rs:2 equality checks against true are unnecessary'],
  'tsc.txt': ["compile src/user.ts:2 TS2322: Type 'number' is not assignable to type 'string'."],
  'tsc-pretty.txt': ["compile src/user.ts:2 TS2322: Type 'number' is not assignable to type 'string'."],
  'biome.txt': [
    'lint src/lint.js:2 This is an unexpected use of the debugger statement. (lint/suspicious/noDebugger)',
    'lint src/lint.js Formatter would have printed the following content (format)',
  ],
  'python-chained.txt': ['runtime /home/dev/shop/crash.py:6 ValueError: bad item'],
  'python-syntax.txt': ['compile /home/dev/shop/syn.py:1 SyntaxError: invalid syntax'],
  'node-syntax.txt': ["compile file:///home/dev/shop/syn.mjs:1 SyntaxError: Unexpected token ';'"],
  'node-missing-module.txt': [/^runtime \/home\/dev\/shop\/esm\.mjs Error: Cannot find module/],
  'node-enoent.txt': [
    "runtime /home/dev/shop/e.cjs:1 Error: ENOENT: no such file or directory, open '/nope'",
  ],
  'java.txt': [/^runtime Main\.java:1 java\.lang\.NullPointerException: Cannot invoke "String\.length\(\)"/],
  'javac.txt': ['compile Main.java:1 incompatible types: String cannot be converted to int'],
  'gcc.txt': ['compile m.c:1 nope.h: No such file or directory'],
}

describe('what programs really printed', () => {
  test.each(Object.entries(PRINTED))('%s', (name, expected) => {
    const text = readFileSync(join(import.meta.dirname, '../../fixtures/tool-output', name), 'utf8')
    const failures = found(text)
    expect(failures).toEqual(
      expected.map((item) => (typeof item === 'string' ? item : expect.stringMatching(item))),
    )
  })

  test('eslint.txt: errors by file, each with its rule', () => {
    const text = readFileSync(join(import.meta.dirname, '../../fixtures/tool-output/eslint.txt'), 'utf8')
    expect(found(text)).toHaveLength(text.match(/^ +\d+:\d+ +error /gm)!.length)
    expect(found(text)[3]).toBe(
      "lint /home/dev/shop/src/sum.js:1 'unused' is assigned a value but never used (no-unused-vars)",
    )
  })
})

/** In the programs' documented formats. */
const WRITTEN: [string, string, string[], string?][] = [
  [
    'go test',
    `--- FAIL: TestGreet (0.00s)
    greet_test.go:12: Greet() = "Hello ", want "Hello ?"
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/empty (0.00s)
        greet_test.go:30: got 0, want 1
    --- PASS: TestTable/full (0.00s)
FAIL
FAIL	github.com/dev/shop/greet	0.005s
FAIL`,
    [
      'test greet_test.go:12 TestGreet: Greet() = "Hello ", want "Hello ?"',
      'test greet_test.go:30 TestTable/empty: got 0, want 1',
    ],
  ],
  [
    'go test -v, testify',
    `=== RUN   TestSum
    sum_test.go:9: 
        	Error Trace:	/home/dev/shop/sum_test.go:9
        	Error:      	Not equal: 
        	            	expected: 3
        	            	actual  : 2
        	Test:       	TestSum
--- FAIL: TestSum (0.00s)
FAIL`,
    ['test sum_test.go:9 TestSum: Not equal: expected: 3 actual : 2'],
  ],
  [
    'go build',
    `# github.com/dev/shop/cmd
cmd/main.go:10:2: undefined: foo
cmd/main.go:14:9: cannot use x (variable of type int) as string value in return statement`,
    [
      'compile cmd/main.go:10 undefined: foo',
      'compile cmd/main.go:14 cannot use x (variable of type int) as string value in return statement',
    ],
  ],
  [
    'go vet',
    '# github.com/dev/shop\n./main.go:7:2: fmt.Printf format %d has arg "x" of wrong type string',
    ['lint ./main.go:7 fmt.Printf format %d has arg "x" of wrong type string'],
    'go vet ./...',
  ],
  [
    'go panic',
    `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
runtime.panicIndex()
	/usr/local/go/src/runtime/panic.go:114 +0x1d
main.main()
	/home/dev/shop/main.go:8 +0x1d
exit status 2`,
    ['runtime /home/dev/shop/main.go:8 panic: runtime error: index out of range [5] with length 3'],
  ],
  [
    'cargo test, older',
    `running 1 test
test tests::it_works ... FAILED

failures:

---- tests::it_works stdout ----
thread 'tests::it_works' panicked at 'assertion failed: false', src/lib.rs:12:9
note: run with \`RUST_BACKTRACE=1\`

test result: FAILED. 0 passed; 1 failed; 0 ignored`,
    ['test src/lib.rs:12 tests::it_works: assertion failed: false'],
  ],
  [
    'cargo test, only the names left',
    'test tests::a ... FAILED\ntest tests::b ... ok\n\ntest result: FAILED. 1 passed; 1 failed;',
    ['test - tests::a: failed'],
  ],
  [
    'cargo without a place',
    'error: failed to parse manifest at `/home/dev/shop/Cargo.toml`\n\nCaused by:\n  missing field `name`',
    ['compile - failed to parse manifest at `/home/dev/shop/Cargo.toml`'],
    'cargo build',
  ],
  [
    'ruff, concise',
    'src/a.py:1:8: F401 [*] `os` imported but unused\nsrc/a.py:4:80: E501 Line too long (99 > 79)\nFound 2 errors.\n[*] 1 fixable with the `--fix` option.',
    ['lint src/a.py:1 F401: `os` imported but unused', 'lint src/a.py:4 E501: Line too long (99 > 79)'],
  ],
  [
    'ruff, full',
    'F401 [*] `os` imported but unused\n --> src/a.py:1:8\n  |\n1 | import os\n  |        ^^\n  |\nhelp: Remove unused import\n\nFound 1 error.',
    ['lint src/a.py:1 F401: `os` imported but unused'],
  ],
  [
    'ruff, syntax',
    'invalid-syntax: Expected an expression\n --> a.py:1:7\n',
    ['compile a.py:1 invalid-syntax: Expected an expression'],
  ],
  [
    'pylint',
    "shop.py:3:0: C0116: Missing function docstring (missing-function-docstring)\nshop.py:9:4: E0602: Undefined variable 'foo' (undefined-variable)",
    ["lint shop.py:9 E0602: Undefined variable 'foo' (undefined-variable)"],
  ],
  [
    'mypy',
    'src/a.py:5: error: Incompatible types in assignment (expression has type "str", variable has type "int")  [assignment]\nsrc/a.py:9: note: see here\nFound 1 error in 1 file (checked 3 source files)',
    [
      'compile src/a.py:5 Incompatible types in assignment (expression has type "str", variable has type "int") [assignment]',
    ],
  ],
  [
    'pyright',
    '/home/dev/shop/src/a.py\n  /home/dev/shop/src/a.py:5:10 - error: "x" is not defined (reportUndefinedVariable)\n1 error, 0 warnings, 0 informations',
    ['compile /home/dev/shop/src/a.py:5 "x" is not defined (reportUndefinedVariable)'],
  ],
  [
    'clang',
    "main.cpp:12:5: error: use of undeclared identifier 'foo'\nmain.cpp:13:1: warning: unused",
    ["compile main.cpp:12 use of undeclared identifier 'foo'"],
  ],
  [
    'dotnet',
    '/home/dev/shop/Program.cs(5,9): error CS1002: ; expected [/home/dev/shop/shop.csproj]',
    ['compile /home/dev/shop/Program.cs:5 CS1002: ; expected'],
  ],
  [
    'tsc without a file',
    'error TS18003: No inputs were found in config file.',
    ['compile - TS18003: No inputs were found in config file.'],
  ],
  [
    'tsc in a workspace',
    "packages/api typecheck: src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
    ["compile src/a.ts:3 TS2304: Cannot find name 'x'."],
  ],
  [
    'eslint, compact',
    "/home/dev/shop/a.js:3:9: 'x' is not defined. [Error/no-undef]\n/home/dev/shop/a.js:4:9: y [Warning/z]",
    ["lint /home/dev/shop/a.js:3 'x' is not defined. (no-undef)"],
  ],
  [
    'esbuild',
    '✘ [ERROR] Could not resolve "foo"\n\n    src/index.ts:1:7:\n      1 │ import "foo"\n',
    ['compile src/index.ts:1 Could not resolve "foo"'],
  ],
  [
    'webpack',
    "ERROR in ./src/index.ts 5:3\nModule not found: Error: Can't resolve './x'",
    ["compile ./src/index.ts:5 Module not found: Error: Can't resolve './x'"],
  ],
  [
    'next build',
    "Failed to compile.\n\n./src/page.tsx:5:3\nType error: Property 'x' does not exist on type 'Y'.\n",
    ["compile ./src/page.tsx:5 Property 'x' does not exist on type 'Y'."],
  ],
  [
    'jest, the report repeated at the end',
    `FAIL src/a.test.ts (5.2 s)
  ● adds › two numbers

    expect(received).toBe(expected)

    Expected: 3
    Received: 2

      at Object.<anonymous> (src/a.test.ts:11:20)

Tests:       1 failed, 2 passed, 3 total`,
    ['test src/a.test.ts:11 adds › two numbers: expect(received).toBe(expected) Expected: 3 Received: 2'],
  ],
  [
    'vitest, listed only',
    ' ❯ src/a.test.ts (2 tests | 1 failed) 8ms\n   ✓ fine 1ms\n   × breaks 7ms\n     → expected 1 to be 2\n',
    ['test src/a.test.ts breaks: expected 1 to be 2'],
  ],
  [
    'vitest in a workspace',
    ' FAIL  |unit| src/a.test.ts > breaks\nAssertionError: expected 1 to be 2\n ❯ src/a.test.ts:4:20\n',
    ['test src/a.test.ts:4 src/a.test.ts > breaks: AssertionError: expected 1 to be 2'],
  ],
  [
    'ruby',
    "app.rb:3:in `greet': undefined method `upcase' for nil (NoMethodError)\n\tfrom app.rb:7:in `<main>'",
    ["runtime app.rb:3 undefined method `upcase' for nil (NoMethodError)"],
  ],
  [
    'php',
    'PHP Fatal error:  Uncaught TypeError: foo() in /home/dev/shop/a.php:5\nStack trace:\n#0 {main}',
    ['runtime /home/dev/shop/a.php:5 Fatal error: Uncaught TypeError: foo()'],
  ],
  [
    'an error that was logged',
    'Server started\nUnhandled: DatabaseError: connection refused\n    at connect (/home/dev/shop/src/db.ts:12:9)\n    at node:internal/x:1:1',
    ['runtime /home/dev/shop/src/db.ts:12 DatabaseError: connection refused'],
  ],
  [
    'in colours',
    "\u001b[96msrc/a.ts\u001b[0m:\u001b[93m2\u001b[0m:\u001b[93m4\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS1005: \u001b[0m';' expected.",
    ["compile src/a.ts:2 TS1005: ';' expected."],
  ],
  ['cut by tail: node:test', '# tests 5\n# suites 0\n# pass 3\n# fail 2\n# cancelled 0', ['test - # fail 2']],
  ['cut by tail: mocha', '  3 passing (12ms)\n  1 failing', ['test - 1 failing']],
  [
    'cut by tail: pytest',
    '=========== 1 failed, 2 passed in 0.12s ===========',
    ['test - =========== 1 failed, 2 passed in 0.12s ==========='],
  ],
  [
    'cut by tail: go',
    'FAIL\tgithub.com/dev/shop [build failed]',
    ['test - FAIL github.com/dev/shop [build failed]'],
  ],
  [
    'cut by tail: eslint',
    '✖ 3 problems (2 errors, 1 warning)',
    ['lint - ✖ 3 problems (2 errors, 1 warning)'],
  ],
  ['cut by tail: tsc', 'Found 3 errors in 2 files.', ['compile - Found 3 errors in 2 files.']],
]

describe('documented formats', () => {
  test.each(WRITTEN)('%s', (_, text, expected, command = '') => {
    expect(found(text, command)).toEqual(expected)
  })
})

/** Nothing of this is a failure. */
const FINE: [string, string][] = [
  ['node:test', 'TAP version 13\nok 1 - handles errors\n1..1\n# tests 1\n# pass 1\n# fail 0'],
  ['TAP, known to be unfinished', 'not ok 1 - later # TODO write it\nnot ok 2 - elsewhere # SKIP\n# fail 0'],
  ['vitest', ' ✓ src/a.test.ts (3 tests) 8ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)'],
  ['jest', 'PASS src/a.test.ts\n  ✓ throws an error (2 ms)\n\nTests:       3 passed, 3 total'],
  ['mocha', '  errors\n    ✔ are thrown\n\n  3 passing (12ms)'],
  [
    'pytest',
    'tests/test_a.py ...                    [100%]\n\n======== 3 passed, 1 warning in 0.12s ========',
  ],
  ['cargo', 'test tests::fails_well ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored'],
  [
    'cargo, warnings',
    'warning: unused variable: `x`\n --> src/lib.rs:3:23\n  |\nwarning: `shop` (lib) generated 1 warning',
  ],
  ['go', '--- PASS: TestX (0.00s)\nPASS\nok  \tgithub.com/dev/shop\t0.005s'],
  [
    'eslint, warnings',
    '/home/dev/shop/a.js\n  2:7  warning  prefer const  prefer-const\n\n✖ 1 problem (0 errors, 1 warning)',
  ],
  ['biome, warnings', 'a.js:1:7 lint/style/useConst ━━━━━━━━━━\n\n  ! Use const.\n\nChecked 1 file in 4ms.'],
  ['mypy', 'Success: no issues found in 3 source files'],
  [
    'passing tests that provoke errors',
    'Error: expected in the test\n    at thing (/home/dev/shop/a.ts:1:1)\n\n# pass 4\n# fail 0',
  ],
  ['talk of errors', 'Added error handling. 0 errors, 0 warnings.\nerror: none\nErrors: 0'],
  ['git', ' src/errors.ts | 12 ++++\n 1 file changed, 12 insertions(+)'],
  ['a listing', 'error.ts\nerrors.log\nfailed/\nTypeError.md'],
  ['nothing', ''],
]

describe('fine output', () => {
  test.each(FINE)('%s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

test('huge and hostile output is read in reasonable time', () => {
  const hostile = [
    'a'.repeat(100_000),
    `${'x:1:1: error: y\n'.repeat(5_000)}`,
    `Error: ${' '.repeat(50_000)}at`,
    `${'not ok 1 - a\n'.repeat(5_000)}`,
    `--- FAIL: T\n${'    a.go:1: x\n'.repeat(5_000)}`,
    `${'/'.repeat(20_000)}:1:1`,
    `${'1) '.repeat(10_000)}\n  1 failing\n${'  1) a\n'.repeat(3_000)}`,
  ]
  for (const text of hostile) expect(findFailures(text)).toBeInstanceOf(Array)
})
