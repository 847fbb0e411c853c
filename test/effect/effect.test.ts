import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isDrawn, type RunMemory, toJournalLine } from '../../src/feature-memory/record.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { saidBy } from '../support/in-process.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { NOTICEABLE_HELP } from './scenarios.ts'
import { asRecords, simulateProject } from './simulated-project.ts'

async function project(): Promise<{ ralph: Ralph; place: { cwd: string; home: string } }> {
  const folder = await temporaryFolder()
  const place = { cwd: join(folder, 'shop'), home: join(folder, 'home') }
  mkdirSync(join(place.cwd, '.ralph', 'db'), { recursive: true })
  const ralph = await openRalph({ project: place.cwd, home: place.home, env: { RALPH_EMBEDDER: 'none' } })
  onTestFinished(() => ralph.close())
  return { ralph, place }
}

/** Written into its journals, as a loop would have. */
async function record(ralph: Ralph, runs: ReturnType<typeof simulateProject>): Promise<void> {
  for (const feature of new Set(runs.map((run) => run.feature)))
    await ralph.featureMemory.import(
      (async function* () {
        for (const one of asRecords(runs, feature)) yield toJournalLine(one)
      })(),
    )
}

it('answers from journals on the disk, for the project and for one feature, from a time on', async () => {
  const { ralph, place } = await project()
  const runs = simulateProject(4, { runs: 900, holdout: () => 0.3, truth: NOTICEABLE_HELP })
  await record(ralph, runs)
  const report = await ralph.effect.report()
  expect(report).toMatchObject({ verdict: 'helps', runs: { all: 900 } })
  expect(report.headline).toMatch(/^Memory helped: \d+ of 100 runs repeated a known failure/)
  const cart = await ralph.effect.report({ feature: 'cart' })
  expect(cart.runs.all).toBe(runs.filter(({ feature }) => feature === 'cart').length)
  const later = await ralph.effect.report({ since: '2026-01-05T00:00:00Z' })
  expect(later.runs.all).toBe(900 - 4 * 144)
  await expect(ralph.effect.report({ since: 'soon' })).rejects.toThrow('"soon" is not a time')
  const { stdout } = await saidBy(['effect'], place)
  expect(stdout.split('\n')[0]).toBe(report.headline)
  expect(stdout).toMatch(/cost of each task done .* helps/)
})

it('reads of a journal that has grown only what is new, and all of one that was rewritten', async () => {
  const { ralph } = await project()
  const fields = {
    memory: { given: true, pieces: 1, holdout: 0.5 },
    errors: [{ message: "'x' is not defined" }],
  }
  const report = async () => {
    const { runs, measures } = await ralph.effect.report()
    return [runs.all, measures[0]!.told.count]
  }
  await ralph.featureMemory.recordIteration(newIteration(fields))
  expect(await report()).toEqual([1, 0])
  await ralph.featureMemory.recordIteration(newIteration(fields))
  expect(await report()).toEqual([2, 1])
  expect(await Promise.all([report(), report()])).toEqual([
    [2, 1],
    [2, 1],
  ])
  await ralph.featureMemory.forget('authentication', { iterations: [1] })
  expect(await report()).toEqual([1, 0])
})

it('tells who has no data what to switch on, what that costs, and when it answers', async () => {
  const { place } = await project()
  const { stdout, code } = await saidBy(['effect'], place)
  expect(code).toBe(0)
  expect(stdout).toContain(
    'Nothing can be said yet: the loop (ralph loop) has recorded no run on a task here.',
  )
  expect(stdout).toContain('ralph config set loop.holdout 0.1')
  expect(stdout).toMatch(/It costs: a tenth .*\n.*It answers: .* runs/)
  expect((await saidBy(['effect', '--feature', 'nope'], place)).stderr).toContain(
    'Without filters: ralph effect',
  )
  expect((await saidBy(['effect', '--since', 'soon'], place)).code).toBe(2)
  expect(JSON.parse((await saidBy(['effect', '--json'], place)).stdout)).toMatchObject({
    verdict: 'too little data',
    holdout: 0,
  })
})

it('counts what was told, what was withheld and what became of it, each once in a run', async () => {
  const { ralph, place } = await project()
  const items = [{ kind: 'error', source: 'iteration 3', why: 'the same file' }]
  const told = { surface: 'loop', event: 'prompt', feature: 'cart', items } as const
  const piece = { kind: 'error', source: 'iteration 3' }
  ralph.receipts.append({ ...told, run: 'one' })
  ralph.receipts.append({ ...told, run: 'one', surface: 'hook' })
  ralph.receipts.ended({
    run: 'one',
    outcome: 'success',
    pieces: [{ ...piece, traced: true, cameBack: false }],
  })
  ralph.receipts.append({ ...told, run: 'two', withheld: true })
  ralph.receipts.ended({
    ...{ run: 'two', outcome: 'failure' },
    pieces: [{ ...piece, withheld: true, traced: false, cameBack: true, failedAgain: true }],
  })
  ralph.receipts.append({ ...told, run: 'still going on' })
  ralph.receipts.append({ ...told, run: 'older' })
  ralph.receipts.ended({ run: 'older', outcome: 'success', used: ['iteration 3'] })
  const { pieces } = await ralph.effect.report({ feature: 'cart' })
  expect(pieces).toEqual([
    {
      kind: 'error',
      told: {
        ...{ pieces: 3, judged: 2, used: 2 },
        errors: { judged: 1, cameBack: 0 },
        commands: { judged: 0, failedAgain: 0 },
        files: { judged: 0, touched: 0 },
      },
      withheld: {
        ...{ pieces: 1, judged: 1, used: 0 },
        errors: { judged: 1, cameBack: 1 },
        commands: { judged: 1, failedAgain: 1 },
        files: { judged: 0, touched: 0 },
      },
    },
  ])
  expect((await ralph.effect.report({ feature: 'search' })).pieces).toEqual([])
  expect((await saidBy(['effect'], place)).stdout).toMatch(/error +told +3 +2 of 2 +0 of 1 /)
})

it('describes runs that nobody drew, and says why they show no effect', async () => {
  const { ralph, place } = await project()
  const runs = simulateProject(1, { runs: 60, holdout: () => 0.5, truth: NOTICEABLE_HELP, confounded: true })
  await record(ralph, runs)
  const { stdout } = await saidBy(['effect'], place)
  expect(stdout).toContain('Nothing can be said yet')
  expect(stdout).toContain('Not drawn: a description, no effect')
  expect(stdout).toContain('was not left to chance')
  expect(stdout).not.toMatch(/Memory (helped|harmed)/)
})

const SEED = { share: 0.5, seed: 'seed' }
/** As the loop records it: told, or not told, as the draw says. */
function drawnRun(iteration: number, more: Partial<RunMemory> = {}) {
  const memory = { given: !isDrawn(SEED, 'authentication', iteration), pieces: 2, holdout: 0.5 }
  return newIteration({ memory: { ...memory, draw: { seed: 'seed', iteration }, ...more } })
}

it('makes every draw again, and says which did not come out as recorded', async () => {
  const { ralph, place } = await project()
  for (let at = 1; at <= 6; at++) await ralph.featureMemory.recordIteration(drawnRun(at))
  const older = { given: true, pieces: 2, holdout: 0.5 }
  await ralph.featureMemory.recordIteration(newIteration({ memory: older }))
  const { draws } = await ralph.effect.report()
  expect(draws).toEqual({ checked: 6, seeds: ['seed'], differing: [], unchecked: 1 })
  expect((await saidBy(['effect'], place)).stdout).toContain(
    '6 draws by the seed "seed", made again: each came out as recorded; 1 draw from before the seed was kept cannot be checked.',
  )
  const chosen = drawnRun(8)
  chosen.memory!.given = !chosen.memory!.given
  await ralph.featureMemory.recordIteration(chosen)
  expect((await ralph.effect.report()).draws).toMatchObject({
    checked: 7,
    differing: [{ feature: 'authentication', iteration: 8, seed: 'seed' }],
  })
  expect((await saidBy(['effect'], place)).stdout).toContain('1 came out otherwise than recorded')
})

it('counts runs that read memory by hand as they were drawn, and says how many', async () => {
  const { ralph, place } = await project()
  const without = [1, 2, 3, 4, 5, 6].filter((at) => isDrawn(SEED, 'authentication', at))
  for (let at = 1; at <= 6; at++)
    await ralph.featureMemory.recordIteration(drawnRun(at, at === without[0] ? { lookedUp: 3 } : {}))
  const { runs, measures } = await ralph.effect.report()
  expect(runs).toMatchObject({ withheld: without.length, lookedUp: 1 })
  expect(measures[1]!.withheld.runs).toBe(without.length)
  expect((await saidBy(['effect'], place)).stdout).toContain(
    `1 of the ${without.length} runs without memory read files of it by hand. They count as they were drawn`,
  )
})
