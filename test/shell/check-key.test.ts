import { describe, expect, it } from 'vitest'
import { covers, identify, type RunCheck } from '../../src/shell/check-key.ts'

const key = (check: string | RunCheck) =>
  identify(typeof check === 'string' ? { command: check } : check, '/shop').key

describe('the same check', () => {
  it.each<[string, string | RunCheck, string]>([
    ['wherever the shell stood', 'cd /shop && npm test', 'npm test'],
    ['however it was shown', 'CI=1 npm test 2>&1 | tail -5', 'npm test'],
    ['in a folder, said in the command', 'cd packages/api && npm test', 'packages/api: npm test'],
    ['in a folder, by its whole path', 'cd /shop/packages/api && npm test', 'packages/api: npm test'],
    [
      'in a folder, as the run tells',
      { command: 'npm test', directory: 'packages/api' },
      'packages/api: npm test',
    ],
    ['in two steps', 'cd packages && cd api && npm test', 'packages/api: npm test'],
    ['outside of the project', 'cd /elsewhere && npm test', '/elsewhere: npm test'],
    ['of nothing that could fail', 'cd /shop && ls', ''],
  ])('%s', (_, check, expected) => {
    expect(key(check)).toBe(expected)
  })
})

describe('the whole suite', () => {
  const sure = (whole: string, part: string) =>
    covers(identify({ command: whole }), identify({ command: part }))

  it.each([
    ['npx vitest run', 'npx vitest run src/a.test.ts'],
    ['vitest run --coverage', 'npx vitest run -t adds'],
    ['npx jest', 'npx jest src/a --testNamePattern adds'],
    ['cargo test', 'cargo test parser'],
    ['go test ./...', 'go test ./api'],
    ['cd api && go test ./...', 'cd api && go test ./pay -run Total'],
  ])('%s runs all that %s runs', (whole, part) => {
    expect(sure(whole, part)).toBe(true)
  })

  it.each([
    ['npx vitest run src/b.test.ts', 'npx vitest run src/a.test.ts'],
    ['npx vitest run --project web', 'npx vitest run src/a.test.ts'],
    ['npx vitest run', 'npx vitest run --config other.ts src/a.test.ts'],
    ['npx vitest run --changed', 'npx vitest run src/a.test.ts'],
    ['cd web && npx vitest run', 'npx vitest run src/a.test.ts'],
    ['npm test', 'npx vitest run src/a.test.ts'],
    ['npx jest', 'npx vitest run src/a.test.ts'],
    ['pytest', 'pytest tests/test_a.py'],
    ['go test', 'go test ./api'],
    ['npx vitest run && npm run lint', 'npx vitest run src/a.test.ts'],
  ])('nobody can be sure that %s runs all that %s runs', (whole, part) => {
    expect(sure(whole, part)).toBe(false)
  })
})
