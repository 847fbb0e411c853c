import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
  await world.put('.ralph/db/features.yaml', 'features:\n  - name: auth\n    description: x\n')
  await world.put('src/cart.ts', 'export const total = 90\n')
  await world.put('src/mail.ts', '')
})
afterEach(() => world.close())

const FAILS = [
  ' FAIL  src/cart.test.ts > total > adds the discount',
  'AssertionError: expected 90 to be 100 // Object.is equality',
  ' ❯ src/cart.test.ts:7:19',
  '',
  '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯',
  ' Test Files  1 failed (1)',
  '      Tests  1 failed | 4 passed (5)',
].join('\n')
const PASSES = ' ✓ src/cart.test.ts (5 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  5 passed (5)'

const bash = (command: string, output: string, failed = false) =>
  `call('Bash', { command: ${JSON.stringify(command)} }, ${JSON.stringify(failed ? `Exit code 1\n${output}` : output)}, ${failed})\n`
const failing = (command = 'npm test') => bash(command, FAILS, true)
const passing = (command = 'npm test') => bash(command, PASSES)
const editing = (file: string) => `edit('${file}', /$/, '// changed\\n')\n`
const done = (words = 'The discount now comes before the tax.') =>
  `setStatus('done'); end(${JSON.stringify(words)})\n`
const notDone = "setStatus('in_progress'); end('The test still fails, and it is not clear why.')\n"

/** One run of the loop for each script, in this order; `[2, script]` on task 2, a bare script on task 1. */
async function runs(...given: (string | [task: number, script: string])[]): Promise<void> {
  for (const run of given) {
    const [task, script] = typeof run === 'string' ? [1, run] : run
    await world.tasks('pending', 'pending')
    await world.agent(script)
    await world.loop({ maxIterations: 1, task })
  }
}
const errors = () => world.parts.featureMemory.errors('auth')
const learnings = () => world.parts.learnings.list('auth')

describe('from the run to the ledger', { timeout: 60_000 }, () => {
  it('an error that the next run solves is solved by what that changed', async () => {
    await runs(failing() + notDone, editing('src/cart.ts') + passing() + done())
    expect(await errors()).toMatchObject([
      {
        life: 'solved',
        filePath: 'src/cart.test.ts',
        check: { command: 'npm test', kind: 'test' },
        sightings: [{ iteration: 1, taskId: 1 }],
        solutions: [{ iteration: 2, check: 'npm test', by: { iteration: 2, files: ['src/cart.ts'] } }],
      },
    ])
  })

  it('an error met and overcome in one run is solved in it, also as part of a longer line', async () => {
    await runs(
      failing('npm run build && npm test') + editing('src/cart.ts') + passing('CI=1 npm test 2>&1') + done(),
    )
    expect(await errors()).toMatchObject([
      { life: 'solved', times: 1, solutions: [{ iteration: 1, by: { files: ['src/cart.ts'] } }] },
    ])
    expect(await learnings()).toEqual([])
  })

  it('an error is not solved by a task that is done, another check, or another folder', async () => {
    await runs(
      failing() + notDone,
      editing('src/cart.ts') + bash('npx tsc --noEmit', '') + passing('cd packages/api && npm test') + done(),
    )
    expect(await errors()).toMatchObject([{ life: 'open', solutions: [] }])
  })

  it.each([
    ['npm test || true', ''],
    ['npm test 2>&1 | tail -1', 'Done in 3.2s'],
    ['npm test > /tmp/log; echo finished', 'finished'],
    ['npm test 2>&1 | grep -c ok', '3'],
  ])('an error is not solved by a check whose failure %j would hide', async (command, output) => {
    await runs(failing() + notDone, editing('src/cart.ts') + bash(command, output) + notDone)
    expect((await errors())[0]).toMatchObject({ life: 'open', solutions: [] })
  })

  it('a failure in the output counts, whatever the command says of itself', async () => {
    await runs(failing() + notDone, editing('src/cart.ts') + bash('npm test 2>&1 | tail -20', FAILS) + done())
    expect(await errors()).toMatchObject([{ life: 'open', times: 2 }])
  })

  it('an error that a run on something else shows to be gone is solved by nobody in particular', async () => {
    const mailed = passing() + editing('src/mail.ts') + done('Sends the invoice by mail.')
    await runs(failing() + notDone, [2, mailed])
    const [error] = await errors()
    expect(error).toMatchObject({ life: 'solved', solutions: [{ iteration: 2, check: 'npm test' }] })
    expect(error!.solutions[0]).not.toHaveProperty('by')
  })

  it('an error that comes back names what had held, and teaches when it is solved again', async () => {
    const solving = editing('src/cart.ts') + passing() + done()
    await runs(failing() + notDone, solving, [2, failing() + notDone])
    expect(await errors()).toMatchObject([
      { life: 'came_back', solutions: [{ iteration: 2, cameBackIn: 3, by: { files: ['src/cart.ts'] } }] },
    ])
    expect(await learnings()).toEqual([])
    await runs([2, editing('src/cart.ts') + passing() + done('The cart rounds once, at the end.')])
    expect(await errors()).toMatchObject([{ life: 'solved', times: 2 }])
    const [learned, ...others] = await learnings()
    expect(others).toEqual([])
    expect(learned?.text).toMatch(
      /expected 90 to be 100.*came back in iteration 3.*src\/cart\.ts.*rounds once/,
    )
    await runs(failing() + notDone)
    expect((await learnings())[0]?.remarks).toContain('came back in iteration 5 all the same')
  })

  it('trouble of the service and slips with tools leave no trace', async () => {
    await runs(
      "refuse('API Error: Request rejected (429) · rate_limit_error: too many requests')\n",
      "call('Edit', { file_path: 'src/cart.ts' }, '<tool_use_error>String to replace not found in file.</tool_use_error>', true)\n" +
        done(),
    )
    expect(await errors()).toEqual([])
  })
})
