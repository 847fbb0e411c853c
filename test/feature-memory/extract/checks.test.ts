import { describe, expect, test } from 'vitest'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { MOST_CHECKS, type RecordedCheck } from '../../../src/feature-memory/record.ts'
import { checkKind } from '../../../src/shell/check-kind.ts'
import { parseShell } from '../../../src/shell/parse-shell.ts'
import { collected, ends, fails, init, runs, uses } from '../../transcripts/stream.ts'

const PROJECT = '/home/dev/shop'
type Lines = Record<string, unknown>[]

function checks(...lines: Lines[]): RecordedCheck[] {
  return extract(collected([init, ...lines.flat(), ends('Done.')]), { project: PROJECT }).checks
}
function told(...lines: Lines[]): string[] {
  return checks(...lines).map(
    ({ kind, result, command, directory }) =>
      `${kind} ${result}: ${directory ? `${directory}: ` : ''}${command}`,
  )
}
const TSC = 'src/a.ts(3,1): error TS2304: Cannot find name q.'
const VITEST_FAILS = ' FAIL  a.test.ts > adds\nError: expected 1 to be 2\n ❯ a.test.ts:1:1\n'
const VITEST_PASSES = ' Test Files  1 passed (1)\n      Tests  3 passed (3)'
const edit = uses('Edit', { file_path: `${PROJECT}/src/a.ts`, old_string: 'x' }, 'updated')

describe('what a command checks', () => {
  test.each([
    ['test', 'npm test'],
    ['test', 'npm t -- --watch=false'],
    ['test', 'npx vitest run src/a.test.ts'],
    ['test', 'pnpm exec jest'],
    ['test', 'yarn test:unit'],
    ['test', 'python -m pytest -x tests/'],
    ['test', 'uv run pytest'],
    ['test', 'timeout 60 cargo test --workspace'],
    ['test', 'go test ./...'],
    ['test', 'node --test'],
    ['test', 'make check'],
    ['test', './gradlew test'],
    ['typecheck', 'npx tsc --noEmit'],
    ['typecheck', 'npm run type-check'],
    ['typecheck', 'mypy src'],
    ['typecheck', 'cargo check'],
    ['lint', 'npm run lint:fix'],
    ['lint', 'npx biome check .'],
    ['lint', 'ruff check'],
    ['lint', 'cargo clippy'],
    ['build', 'npm run build'],
    ['build', 'make'],
    ['build', 'vite build'],
    ['build', 'go build ./cmd/api'],
    ['command', 'npm install vitest'],
    ['command', 'npm ci'],
    ['command', 'node scripts/test-data.js'],
    ['command', 'python manage.py migrate'],
    ['command', 'curl http://localhost:3000/health'],
    ['command', 'vite'],
  ])('%s: %s', (kind, command) => {
    expect(checkKind(parseShell(command)[0]!)).toBe(kind)
  })
})

describe('how it came out the last time', () => {
  test('with what it reported then, and only then', () => {
    const [check, ...others] = checks(fails('npm test', VITEST_FAILS), edit, runs('npm test', VITEST_PASSES))
    expect(others).toEqual([])
    expect(check).toEqual({
      command: 'npm test',
      kind: 'test',
      result: 'passed',
      signatures: [],
      cleared: ['a.test.ts > adds: Error: expected 1 to be 2'],
      changedBefore: true,
      changedAfter: false,
    })
    expect(checks(fails('npx tsc', TSC))).toEqual([
      {
        command: 'npx tsc',
        kind: 'typecheck',
        result: 'failed',
        signatures: ['TS2304: Cannot find name q.'],
        changedBefore: false,
        changedAfter: false,
      },
    ])
  })

  test('not all of it when a filter or a limit took something away', () => {
    expect(checks(runs('npm test 2>&1 | tail -20', VITEST_FAILS))).toMatchObject([{ outputCut: true }])
    const long = `${VITEST_FAILS}\n… [90000 characters left out] …\n`
    expect(checks(fails('npm test', long))).toMatchObject([{ outputCut: true }])
    expect(checks(fails('npm test', VITEST_FAILS))[0]).not.toHaveProperty('outputCut')
  })

  test('also of a script given on the spot that had failed before', () => {
    const script = 'node -e "require(\'./a\')"'
    expect(told(runs(script))).toEqual([])
    expect(told(fails(script, 'Error: a is broken\n    at a.js:1:1'), edit, runs(script))).toEqual([
      expect.stringContaining('command passed: node -e'),
    ])
  })

  test('and whether files were changed before and after; closing a task is no change', () => {
    const close = uses('Edit', { file_path: `${PROJECT}/.ralph/db/tasks.yaml`, old_string: 'x' }, 'updated')
    expect(checks(runs('npm test', VITEST_PASSES), edit, close)).toMatchObject([
      { changedBefore: false, changedAfter: true },
    ])
    expect(checks(edit, runs('npm test', VITEST_PASSES), close)).toMatchObject([
      { changedBefore: true, changedAfter: false },
    ])
    // It passed before anything was changed, and still does.
    expect(checks(runs('npx tsc'), edit, runs('npx tsc'))).toMatchObject([
      { changedBefore: false, changedAfter: false },
    ])
  })

  test('however it was written, and wherever it ran', () => {
    expect(
      told(
        fails(`cd ${PROJECT} && CI=1 npm test 2>&1`, VITEST_FAILS),
        runs('npm test', VITEST_PASSES),
        runs('(cd packages/api && npm test)', VITEST_PASSES),
        runs(`npx tsc -p ${PROJECT}/tsconfig.json`),
      ),
    ).toEqual([
      'test passed: npm test',
      'test passed: packages/api: npm test',
      'typecheck passed: npx tsc -p tsconfig.json',
    ])
  })
})

describe('a hidden exit status', () => {
  test.each<[string, string, string[]]>([
    ['npm test | tail -20', VITEST_FAILS, ['test failed: npm test']],
    ['npm test || true', VITEST_FAILS, ['test failed: npm test']],
    ['npm test 2>&1 | tail -3; echo done', VITEST_PASSES, ['test passed: npm test']],
    ['npx tsc --noEmit; echo ok', 'ok', ['typecheck passed: npx tsc --noEmit']],
    ['npx tsc --noEmit | head -5', TSC, ['typecheck failed: npx tsc --noEmit']],
    // Nobody can tell.
    ['npm test | tail -1', 'Duration  1.2s', []],
    ['npx tsc --noEmit | grep -c TS2304', '0', []],
    ['npm run build; echo', 'Error: something else', []],
    ['npm test || npm run test:old', 'all is well', []],
  ])('%s: %s', (command, output, expected) => {
    expect(told(runs(command, output))).toEqual(expected)
  })
})

describe('several in one line', () => {
  test('that went well: each of them did', () => {
    expect(told(runs('npm run lint && npx tsc && npm test', VITEST_PASSES))).toEqual([
      'lint passed: npm run lint',
      'typecheck passed: npx tsc',
      'test passed: npm test',
    ])
  })

  test('that failed: what came before passed, what comes after did not run', () => {
    expect(told(fails('npm run lint && npx tsc && npm test', TSC))).toEqual([
      'lint passed: npm run lint',
      'typecheck failed: npx tsc',
    ])
    expect(
      told(fails('npm run build && node dist/main.js', 'TypeError: x is not a function\n    at a.js:1:1')),
    ).toEqual(['build passed: npm run build', 'command failed: node dist/main.js'])
  })

  test('of plain commands stand for themselves', () => {
    const seed = 'npm run migrate && npm run seed'
    expect(told(fails(seed, 'error: relation "users" exists'))).toEqual([`command failed: ${seed}`])
    expect(told(runs(seed, 'seeded'))).toEqual([`command passed: ${seed}`])
  })

  test('a failure before the check says nothing about the check', () => {
    expect(told(fails('cat notes.txt && npm test', 'cat: notes.txt: No such file or directory'))).toEqual([])
    expect(
      told(fails('cd nope && npm test', '/bin/bash: line 1: cd: nope: No such file or directory')),
    ).toEqual([])
  })
})

describe('what is no check', () => {
  test.each<[string, Lines]>([
    ['showing', runs('cat src/a.ts | head', TSC)],
    ['a commit that went through', runs('git commit -qm "Fix npm test"')],
    ['a script on the spot', runs("python3 - <<'PY'\nprint(1)\nPY")],
    [
      'a refused command',
      uses('Bash', { command: 'npm test' }, 'Permission to use Bash has been denied.', { error: true }),
    ],
    [
      'one sent to the background',
      uses('Bash', { command: 'npm test' }, 'Running', { structured: { backgroundTaskId: 'b1' } }),
    ],
  ])('%s', (_, lines) => {
    expect(told(lines)).toEqual([])
  })

  test('one that was cut off with the run', () => {
    const run = collected([init, ...fails('npm test', 'running', 137)], { signal: 'SIGTERM' })
    expect(extract(run, { project: PROJECT }).checks).toEqual([])
  })
})

test('too many: what failed, then tests and compilers, then the latest stay', () => {
  const many = Array.from({ length: 40 }, (_, at) => runs(`node step${at}.js`))
  const kept = told(fails('node broken.js', 'Error: x'), runs('npm test', VITEST_PASSES), ...many)
  expect(kept).toHaveLength(MOST_CHECKS)
  expect(kept.slice(0, 2)).toEqual(['command failed: node broken.js', 'test passed: npm test'])
  expect(kept.at(-1)).toBe('command passed: node step39.js')
})
