import { describe, expect, it } from 'vitest'
import { commandKey } from '../../src/feature-memory/command-key.ts'
import { failedActions } from '../../src/feature-memory/failed-actions.ts'
import { errorSignature } from '../../src/text/normalise.ts'
import { iteration } from '../support/records.ts'

describe('the same command', () => {
  it.each([
    ['npm test', 'npm test'],
    ['  npm   test ', 'npm test'],
    ['cd /shop && npm test', 'npm test'],
    ['CI=1 npm test 2>&1 | tail -50', 'npm test'],
    ['npm test > /tmp/log; cat /tmp/log', 'npm test'],
    ['npm run build && npm test', 'npm run build && npm test'],
    ['node /shop/scripts/seed.ts', 'node scripts/seed.ts'],
    ['ls -la', ''],
    ['grep -rn foo src | head', ''],
    ['', ''],
  ])('%j is %j', (command, key) => {
    expect(commandKey(command, '/shop')).toBe(key)
  })

  it('is not another one', () => {
    expect(commandKey('npm test -- auth')).not.toBe(commandKey('npm test'))
    expect(commandKey('for f in a b; do node $f; done')).not.toBe(
      commandKey('for f in a c; do node $f; done'),
    )
  })
})

const failing = (iterationNumber: number, error: object, fields: object = {}) =>
  iteration({
    iterationNumber,
    outcome: 'failure',
    errors: [{ message: 'boom', ...error }],
    ...fields,
  } as never)
const succeeding = (iterationNumber: number, fields: object = {}) =>
  iteration({ iterationNumber, outcome: 'success', errors: [], ...fields } as never)

describe('what failed', () => {
  it('is found by command and by file, with the latest iteration and how often', () => {
    const records = [
      failing(1, { command: 'npm test', message: 'no script', type: 'runtime' }),
      failing(2, { filePath: 'src/a.ts', message: 'TS2345', type: 'compile' }),
      failing(3, { command: 'CI=1 npm test | tail', message: 'no script at all', type: 'runtime' }),
    ]
    const { commands, files } = failedActions(records)
    expect(commands).toEqual({
      'npm test': expect.objectContaining({ iteration: 3, error: 'no script at all', times: 2 }),
    })
    expect(files).toEqual({
      'src/a.ts': expect.objectContaining({ iteration: 2, error: 'TS2345', times: 1 }),
    })
  })

  it('because of the code is forgotten when the task is done, a wrong command is not', () => {
    const records = [
      failing(1, { command: 'npm test', message: 'expected 1 to be 2', type: 'test', filePath: 'a.test.ts' }),
      failing(2, { command: 'npm run tset', message: 'missing script', type: 'runtime' }),
      succeeding(3),
    ]
    const { commands, files } = failedActions(records)
    expect(Object.keys(commands)).toEqual(['npm run tset'])
    expect(files).toEqual({})
  })

  it('in another task stays open', () => {
    const records = [
      failing(1, { command: 'npm test', type: 'test' }, { taskId: 1 }),
      succeeding(2, { taskId: 2 }),
    ]
    expect(Object.keys(failedActions(records).commands)).toEqual(['npm test'])
  })

  it('in a session without a task is solved only by work on the same files', () => {
    const file = (path: string) => ({ taskId: 0, filesTouched: [{ path, action: 'modified' }] })
    const failed = failing(1, { command: 'npm test', type: 'test' }, file('a.ts'))
    expect(failedActions([failed, succeeding(2, file('b.ts'))]).commands).toHaveProperty('npm test')
    expect(
      failedActions([failed, succeeding(2, file('b.ts')), succeeding(3, file('a.ts'))]).commands,
    ).toEqual({})
  })

  it('long ago, or by a slip of the agent, is no warning', () => {
    const old = [failing(1, { command: 'npm test', type: 'runtime' }), succeeding(60, { taskId: 9 })]
    expect(failedActions(old).commands).toEqual({})
    const slip = [failing(1, { filePath: 'a.ts', message: 'String to replace not found', type: 'logic' })]
    expect(failedActions(slip)).toEqual({ commands: {}, files: {}, errors: {} })
  })

  it('is not confused by names that every object has', () => {
    const { commands } = failedActions([failing(1, { command: 'constructor', type: 'runtime' })])
    expect(commands['constructor']).toMatchObject({ times: 1 })
  })
})

describe('an error seen before', () => {
  it('knows how it was solved, also when numbers and paths differ', () => {
    const records = [
      failing(1, { message: 'TypeError: x is undefined at /home/a/src/login.ts:12:3' }),
      succeeding(2, {
        summary: 'Checked for undefined.',
        decisions: [{ description: 'Guard at the boundary' }],
      }),
    ]
    const key = errorSignature('TypeError: x is undefined at /tmp/other/src/login.ts:99:1')
    expect(failedActions(records).errors[key]).toEqual({
      iterations: [1],
      message: expect.stringContaining('TypeError'),
      solved: { iteration: 2, summary: 'Checked for undefined.', decisions: ['Guard at the boundary'] },
    })
  })

  it('that came back and is open is not called solved', () => {
    const records = [failing(1, {}), succeeding(2), failing(3, {})]
    const [seen] = Object.values(failedActions(records).errors)
    expect(seen).toEqual({ iterations: [1, 3], message: 'boom' })
  })
})
