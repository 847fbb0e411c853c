import { describe, expect, it } from 'vitest'
import { compareStatements, type Verdict } from '../../src/text/polarity/polarity.ts'
import fc from '../support/fast-check.ts'
import { APART, OPPOSITE, PARALLEL, SAME } from './polarity-software.ts'

const verdict = (a: string, b: string) => compareStatements(a, b).verdict

/** Both ways round, since nobody knows which of two learnings comes first. */
function expectVerdict(expected: Verdict | readonly Verdict[], a: string, b: string) {
  const allowed = [expected].flat()
  expect(allowed, `${a} | ${b}: ${compareStatements(a, b).reason}`).toContain(verdict(a, b))
  expect(allowed, `${b} | ${a}: ${compareStatements(b, a).reason}`).toContain(verdict(b, a))
}

describe('the same in other words', () => {
  it.each([
    [
      'Auth middleware expects User object not userId',
      'Auth middleware expects User object instead of userId',
    ],
    ['Use pnpm instead of npm', 'Use pnpm, not npm'],
    ['Use pnpm instead of npm for installing packages', 'Use pnpm for installing packages instead of npm'],
    ['Prefer fetch over axios', 'Use fetch rather than axios'],
    ['Do not use axios', "Don't use axios."],
    ['Do not use axios', 'Avoid axios'],
    ['Never use axios here', 'Stop using axios'],
    ['axios must not be used', 'Do not use axios'],
    ['axios is no longer used', 'No longer use axios'],
    ['Using axios is forbidden', 'Do not use axios'],
    ['Always run the migrations before the tests', 'Run migrations before tests'],
    ['The cache is disabled in tests', 'The cache is not enabled in tests'],
    ['The loader calls the parser', 'The parser is called by the loader'],
    ['The tests cannot run in parallel', "Tests can't run in parallel"],
    ['Validation is required', 'Validation is not optional'],
    ['The queue is unreliable', 'The queue is not reliable'],
    ['The API returns 404 when the user is missing', 'When the user is missing, the API returns 404'],
    ['Delete the lock file before installing', 'Remove the lock file before installing'],
    ['`LoginForm` needs a CSRF token', 'LoginForm needs a CSRF token'],
    ['Migrations must be run by the deploy script', 'The deploy script must run migrations'],
    [
      'The session cookie expires after 15 minutes of inactivity in production',
      'The session cookie always expires after 15 minutes of inactivity in production',
    ],
  ])('%s | %s', (a, b) => expectVerdict('duplicate', a, b))
})

describe('the opposite', () => {
  it.each([
    ['Use axios for requests', 'Do not use axios for requests'],
    ['Use axios for requests', "Don't use axios for requests"],
    ['Use axios for requests', 'Never use axios for requests'],
    ['Use axios for requests', 'Avoid axios for requests'],
    ['Use axios for requests', 'axios is no longer used for requests'],
    ['Use axios for requests', 'Stop using axios for requests'],
    ['Use axios for requests', 'Using axios for requests is forbidden'],
    ['Use fetch instead of axios', 'Use axios instead of fetch'],
    ['Prefer fetch over axios', 'Prefer axios over fetch'],
    ['Use fetch, not axios', 'Use axios, not fetch'],
    ['The cache is enabled in tests', 'The cache is disabled in tests'],
    ['Always mock the clock', 'Never mock the clock'],
    ['Run migrations before the tests', 'Run migrations after the tests'],
    ['Run migrations before seeds', 'Run seeds before migrations'],
    ['Allow requests from localhost', 'Deny requests from localhost'],
    ['The handler is synchronous', 'The handler is asynchronous'],
    ['Add the header to every response', 'Remove the header from every response'],
    ['Increase the pool size under load', 'Decrease the pool size under load'],
    ['The loader calls the parser', 'The parser calls the loader'],
    ['The parser is called by the loader', 'The loader is called by the parser'],
    ['Copy from staging to production', 'Copy from production to staging'],
    ['Retry failed requests 3 times', 'Retry failed requests 5 times'],
    ['The timeout is 30s', 'The timeout is 60s'],
    ['Node 20 is required', 'Node 22 is required'],
    ['zod 3.22 works with the generator', 'zod 4.0 works with the generator'],
    ['The token is required', 'The token is optional'],
    ['The build works without a network', 'The build does not work without a network'],
    ['Writing to the index is safe', 'Writing to the index is unsafe'],
    ['Sessions are stateful', 'Sessions are stateless'],
    ['The tests pass with Redis running', 'The tests fail with Redis running'],
  ])('%s | %s', (a, b) => expectVerdict('conflict', a, b))
})

describe('denial in other languages', () => {
  it.each([
    [
      'Verwende axios für alle Anfragen im Backend der Anwendung',
      'Verwende axios nicht für alle Anfragen im Backend der Anwendung',
    ],
    [
      'Utiliser axios pour toutes les requêtes du serveur principal',
      'Ne pas utiliser axios pour toutes les requêtes du serveur principal',
    ],
    [
      'Usar axios para todas las peticiones del servidor principal',
      'No usar axios para todas las peticiones del servidor principal',
    ],
    [
      'Использовать axios для всех запросов сервера приложения всегда',
      'Не использовать axios для всех запросов сервера приложения всегда',
    ],
    ['所有请求都使用 axios', '所有请求都不使用 axios'],
  ])('%s | %s', (a, b) => expectVerdict(['conflict', 'different'], a, b))
})

describe('neither: something else is spoken of', () => {
  it.each([
    ['Use vitest for unit tests', 'Use jest for unit tests'],
    ['LoginForm needs a CSRF token', 'SignupForm needs a CSRF token'],
    ['The parser lives in src/parse.ts', 'The parser lives in src/parser/index.ts'],
    ['src/auth.ts must export login', 'src/user.ts must export login'],
    ['Set MAX_RETRIES in the config', 'Set MAX_REDIRECTS in the config'],
    ['parseDate() ignores time zones', 'parseTime() ignores time zones'],
    ['The API needs a token', 'Migrations run before tests'],
    ['Redis 7 is used by the cache on port 6379', 'Redis 6 is used by the queue on port 6380'],
    ['Cache only successful responses', 'Cache responses'],
    ['Do not use axios', 'Do not use moment'],
    ['Some tests are flaky', 'All tests are flaky'],
    ['Tests must run serially', 'Tests may run serially'],
    [
      'GET /api/users returns 200 when the token is valid and the cache is warm',
      'POST /api/users returns 200 when the token is valid and the cache is warm',
    ],
    ['Use the shared client except in tests', 'Use the shared client in tests'],
    ['Run the job if the queue is empty', 'Run the job unless the queue is empty'],
    ['The queue needs at least 3 replicas', 'The queue needs at most 3 replicas'],
    ['Call flush() before close()', 'Call close() before flush()'],
    ['useEffect needs a cleanup', 'useEffect needs no cleanup'],
    ['Uploads over 5 MB are rejected', 'Uploads under 5 MB are rejected'],
    ['Use the v2 API for uploads', 'Use the v1 API for uploads'],
    ['Use --runInBand for the e2e tests', 'Use --forceExit for the e2e tests'],
  ])('%s | %s', (a, b) => expectVerdict(['different', 'conflict'], a, b))
})

describe('statements about software', () => {
  it.each(SAME)('the same: %s | %s', (a, b) => expectVerdict('duplicate', a, b))
  it.each(OPPOSITE)('the opposite: %s | %s', (a, b) => expectVerdict('conflict', a, b))
  it.each(PARALLEL)('two things of a kind: %s | %s', (a, b) => expectVerdict('different', a, b))
  it.each(APART)('apart: %s | %s', (a, b) => expectVerdict(['different', 'conflict'], a, b))
})

describe('one that says more', () => {
  it.each([
    [
      'The release was approved for the production cluster',
      'The release was nearly approved for the production cluster',
    ],
    ['Anna is the maintainer of the parser package', 'Anna is the former maintainer of the parser package'],
    [
      'The migration of the staging cluster to the new region is complete',
      'The migration of the staging cluster to the new region is supposedly complete',
    ],
  ])('is no duplicate, since one word can take it all back: %s | %s', (a, b) =>
    expectVerdict('different', a, b),
  )
})

describe('compareStatements', () => {
  const word = fc.constantFrom(
    'use',
    'not',
    'never',
    'the',
    'cache',
    'axios',
    '3',
    'src/a.ts',
    'before',
    'instead',
    'of',
    'is',
    'by',
    'called',
    ',',
    'and',
    '`x`',
    'no',
    'longer',
    "don't",
  )
  const statement = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(' '))

  it('takes every statement for a duplicate of itself, however odd', () => {
    fc.assert(
      fc.property(statement, (text) => {
        expect(verdict(text, text)).toBe('duplicate')
      }),
    )
  })

  it('gives the same answer both ways round', () => {
    fc.assert(
      fc.property(statement, statement, (a, b) => {
        expect(verdict(a, b)).toBe(verdict(b, a))
      }),
      { numRuns: 500 },
    )
  })

  it('says why', () => {
    expect(compareStatements('The cache is enabled', 'The cache is disabled').reason).toBe(
      '"enabled" against "disabled"',
    )
    expect(compareStatements('The loader calls the parser', 'The parser calls the loader').reason).toBe(
      '"loader" and "parser" changed places',
    )
    expect(compareStatements('Use axios', 'Never use axios').reason).toBe(
      '"axios" is claimed by one and denied by the other',
    )
  })
})
