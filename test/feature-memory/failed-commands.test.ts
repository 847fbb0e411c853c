import { describe, expect, it } from 'vitest'
import { canBeTheSame, failedCommands, matters } from '../../src/feature-memory/failed-commands.ts'
import type { IterationRecord, RecordedCheck } from '../../src/feature-memory/record.ts'
import { iteration } from '../support/records.ts'

const DEPLOY = 'node scripts/deploy.js'
const check = (fields: Partial<RecordedCheck> = {}): RecordedCheck => ({
  command: DEPLOY,
  kind: 'command',
  result: 'failed',
  signatures: ['error: no bucket'],
  ...fields,
})
const run = (iterationNumber: number, checks: RecordedCheck[], changed: string[] = []): IterationRecord =>
  iteration({
    iterationNumber,
    checks,
    errors: [{ message: 'Error: no bucket', command: DEPLOY }],
    filesTouched: changed.map((path) => ({ path, action: 'modified' as const })),
  })
const of = (...records: IterationRecord[]) => failedCommands(records).get(DEPLOY)
const WRONG = check({ command: 'npm run tset', signatures: ['npm error missing script: "tset"'] })

describe('commands that failed', () => {
  it('are known with how, where and how often in a row', () => {
    expect(of(run(1, [check()]), run(2, [check({ command: `CI=1 ${DEPLOY} | tail` })]))).toEqual({
      signatures: ['error: no bucket'],
      message: 'Error: no bucket',
      iterations: [1, 2],
      at: '2026-02-07T14:30:00.000Z',
    })
  })

  it('count anew when they fail in another way, and not at all once they worked', () => {
    const other = check({ signatures: ['error: access denied'] })
    expect(of(run(1, [check()]), run(2, [other]))?.iterations).toEqual([2])
    expect(of(run(1, [check()]), run(2, [check({ result: 'passed', signatures: [] })]))).toBeUndefined()
  })

  it('are forgotten when something was changed since: in the same run, or in a later one', () => {
    expect(of(run(1, [check({ changedAfter: true })], ['src/a.ts']))).toBeUndefined()
    expect(of(run(1, [check({ changedBefore: true })], ['src/a.ts']))).toBeDefined()
    expect(of(run(1, [check()]), run(2, [], ['src/a.ts']))).toBeUndefined()
    expect(of(run(1, [check()]), run(2, []))).toBeDefined()
  })

  it('by a wrong name are forgotten only when a change could have made it right', () => {
    const wrong = (...records: IterationRecord[]) => failedCommands(records).get('npm run tset')
    expect(wrong(run(1, [WRONG]), run(2, [], ['src/a.ts']))).toBeDefined()
    expect(wrong(run(1, [WRONG]), run(2, [], ['package.json']))).toBeUndefined()
    const module = { signatures: ['error: cannot find module deploy'] }
    expect(matters('src/deploy.ts', DEPLOY, module)).toBe(true)
    expect(matters('src/login.ts', DEPLOY, module)).toBe(false)
  })

  it('are no checks, and elsewhere they are others', () => {
    expect(failedCommands([run(1, [check({ kind: 'test', command: 'npm test' })])]).size).toBe(0)
    expect([...failedCommands([run(1, [check({ directory: 'packages/api' })])]).keys()]).toEqual([
      `packages/api: ${DEPLOY}`,
    ])
  })

  it.each([
    ['connect econnrefused <host>'],
    ['request timed out'],
    ['fatal: unable to create index.lock: file exists'],
    ['`node x` failed with exit code <n>'],
  ])('for a reason that may pass, or that nobody knows, are nothing to go by: %s', (signature) => {
    expect(canBeTheSame([signature])).toBe(false)
    expect(of(run(1, [check({ signatures: [signature] })]))).toBeUndefined()
  })

  it('in the service or the harness are none of the project', () => {
    const refused = { ...run(1, [check()]), errors: [{ message: 'Error: no bucket', command: DEPLOY }] }
    const hook = 'Permission to use Bash has been denied'
    const denied = iteration({
      errors: [{ message: hook, command: DEPLOY }],
      checks: [check({ signatures: [hook.toLowerCase()] })],
    })
    expect(of(refused)).toBeDefined()
    expect(of(denied)).toBeUndefined()
  })

  it('are not confused by names that every object has', () => {
    const odd = check({ command: 'constructor' })
    expect(failedCommands([run(1, [odd])]).get('constructor')?.iterations).toEqual([1])
  })
})
