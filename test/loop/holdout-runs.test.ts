import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDrawn } from '../../src/feature-memory/holdout.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { recentlyTold } from '../../src/receipts/recent.ts'
import { ReceiptCounts } from '../../src/receipts/totals.ts'
import { makeWorld, type World } from './world.ts'

let world: World
const open = async () => {
  world = await makeWorld()
  await world.tasks('pending')
  await world.agent(FAILING_AGENT)
}
const close = () => world.close()

const HOLDOUT = { share: 0.5, seed: 'seed' }
const DOZEN = 12
const OPTIONS = { holdout: HOLDOUT, maxIterations: DOZEN, stagnationLimit: 50 }
/** What only memory can have told. */
const REMEMBERED =
  /The last run on this task|Tried before|Open errors|Errors met before|observed|search_feature_memory/

/** Leaves what it was given, tries, and fails in the same way. */
const FAILING_AGENT = `
  const run = process.env.RALPH_LOOP_RUN
  appendFileSync('given.jsonl', JSON.stringify({ run, prompt, memory: process.env.RALPH_LOOP_MEMORY, servers: Object.keys(JSON.parse(readFileSync(process.argv[3], 'utf8')).mcpServers) }) + '\\n')
  write('src/pay.ts', 'export const pay = ' + Date.now())
  call('Bash', { command: 'npx vitest run' }, 'Exit code 1\\nFAIL src/pay.test.ts\\nTypeError: cannot read basketTotal of undefined', true)
  end('Tried to mend basketTotal, to no avail. Next: look at rounding.')`

async function given() {
  const lines = (await world.text('given.jsonl')).trim().split('\n')
  return lines.map((line): { run: string; prompt: string; memory: string; servers: string[] } =>
    JSON.parse(line),
  )
}

const drawnOf = (count: number) => Array.from({ length: count }, (_, at) => isDrawn(HOLDOUT, 'auth', at + 1))

describe('a dozen iterations of a loop with a hold-out', () => {
  beforeAll(async () => {
    await open()
    await world.loop(OPTIONS)
  })
  afterAll(close)

  it('runs the drawn iterations without memory, and all others with it', async () => {
    const runs = await given()
    const drawn = drawnOf(DOZEN)
    expect(drawn.slice(1)).toContain(true)
    expect(drawn.slice(1)).toContain(false)
    for (const [at, { prompt, memory, servers }] of runs.entries()) {
      expect(memory).toBe(drawn[at] ? 'withheld' : 'given')
      expect(servers).toEqual(drawn[at] ? [] : ['ralph'])
      expect(prompt).toContain('## Your task: 1')
      if (drawn[at]) expect(prompt).not.toMatch(REMEMBERED)
      else if (at > 0) expect(prompt).toMatch(REMEMBERED)
    }
    const records = await world.records()
    expect(records.map(({ memory }) => memory?.given)).toEqual(drawn.map((without) => !without))
    expect(records.map(({ memory }) => memory?.holdout)).toEqual(drawn.map(() => 0.5))
    // The first had nothing to be told, all others the last run and its error at least.
    expect(records[0]?.memory?.pieces).toBe(0)
    for (const { memory } of records.slice(1)) expect(memory?.pieces).toBeGreaterThanOrEqual(2)
  })

  it('says so at the start, and with every run that is drawn', async () => {
    expect(world.told('holdout')).toEqual([{ kind: 'holdout', share: 0.5, seed: 'seed' }])
    expect(world.told('iteration_started').map(({ memory }) => memory.given)).toEqual(
      drawnOf(DOZEN).map((without) => !without),
    )
  })

  it('judges every piece at the end of its run, told or withheld, by the same rules', async () => {
    const { receipts } = await readReceipts(world.parts.receipts.folder, { limit: 100 })
    const judged = receipts.flatMap(({ withheld, items, ending }) =>
      items.map(({ kind, source }) => ({
        withheld,
        kind,
        piece: ending?.pieces?.find(
          (one) => one.kind === kind && one.source === source && one.withheld === withheld,
        ),
      })),
    )
    for (const withheld of [true, undefined]) {
      const errors = judged.filter((one) => one.withheld === withheld && one.kind === 'error')
      expect(errors.length).toBeGreaterThan(0)
      // The agent runs the same test each time, and it fails in the same way.
      for (const { piece } of errors) expect(piece).toMatchObject({ cameBack: true })
      const handOvers = judged.filter((one) => one.withheld === withheld && one.kind === 'hand_over')
      for (const { piece } of handOvers) expect(piece).toMatchObject({ cameBack: true, touched: true })
    }
  })

  it('keeps what it withheld as such, and counts it nowhere as told', async () => {
    const { folder } = world.parts.receipts
    const { receipts } = await readReceipts(folder, { limit: 100 })
    const withheld = receipts.filter((receipt) => receipt.withheld)
    const told = receipts.filter((receipt) => !receipt.withheld)
    const records = await world.records()
    const pieces = (given: boolean) =>
      records.reduce((sum, { memory }) => sum + (memory?.given === given ? memory.pieces : 0), 0)
    const count = (list: typeof receipts) => list.reduce((sum, { items }) => sum + items.length, 0)
    expect(count(withheld)).toBe(pieces(false))
    expect(withheld[0]?.tokens).toBeGreaterThan(0)
    const ofMemory = told.map((one) => ({ ...one, items: one.items.filter(({ kind }) => kind !== 'file') }))
    expect(count(ofMemory)).toBe(pieces(true))
    const totals = await new ReceiptCounts(folder).read()
    expect(totals).toMatchObject({ receipts: DOZEN, told: count(told) })
    expect(recentlyTold(folder)).toMatchObject({ receipts: DOZEN, told: count(told) })
  })
})

describe('a loop with a hold-out', () => {
  beforeEach(open)
  afterEach(close)

  it('draws no review', async () => {
    await world.loop({ ...OPTIONS, maxIterations: 6, reviewEvery: 1 })
    const reviews = (await world.records()).filter(({ kind }) => kind === 'review')
    expect(reviews.length).toBeGreaterThan(2)
    for (const { memory } of reviews) {
      expect(memory?.given).toBe(true)
      expect(memory).not.toHaveProperty('holdout')
    }
  })

  it('shows in a dry run the prompt that the run would get', async () => {
    const next = drawnOf(DOZEN).indexOf(true, 1)
    await world.loop({ ...OPTIONS, maxIterations: next })
    await world.loop({ ...OPTIONS, dryRun: true })
    expect(world.told('dry_run')[0]?.memory).toMatchObject({ given: false, holdout: 0.5 })
    expect(world.told('dry_run')[0]?.prompt).not.toMatch(REMEMBERED)
  })

  it('keeps what a person said at a gate before every run', async () => {
    world.parts.knowledge = { ...NO_KNOWLEDGE, feedbackFor: async () => ['Round half up, please.'] }
    await world.loop({ ...OPTIONS, maxIterations: 4 })
    for (const { prompt } of await given()) expect(prompt).toContain('Round half up, please.')
  })

  it('leaves no draw where a person has switched memory off, nor where nothing is held out', async () => {
    await world.loop({ ...OPTIONS, maxIterations: 2, memory: false })
    await world.loop({ maxIterations: 1, stagnationLimit: 50 })
    const records = await world.records()
    expect(records[1]?.memory).toEqual({ given: false, pieces: 0 })
    expect(records[2]?.memory).toEqual({ given: true, pieces: expect.any(Number) })
    expect((await given())[1]).toMatchObject({ memory: 'withheld', servers: [] })
    expect(world.told('holdout')).toEqual([])
  })

  it('goes on after a kill as it would have, and recovers the run with what it was given', async () => {
    await world.agent(`${FAILING_AGENT}
      if (existsSync('hang')) await new Promise(() => setInterval(() => {}, 1e3))`)
    await world.loop({ ...OPTIONS, maxIterations: 3 })
    await world.put('hang', '')
    await killedLoop()
    await rm(join(world.project, 'hang'))
    await world.loop({ ...OPTIONS, maxIterations: 4 })
    const records = await world.records()
    expect(world.told('recovered')).toHaveLength(1)
    expect(records).toHaveLength(8)
    expect(records.map(({ memory }) => memory?.given)).toEqual(drawnOf(8).map((without) => !without))
    expect(records[3]?.memory).toMatchObject({ holdout: 0.5, pieces: expect.any(Number) })
  })
})

const NO_KNOWLEDGE: NonNullable<World['parts']['knowledge']> = {
  begin: async () => undefined,
  contextFor: async () => undefined,
  feedbackFor: async () => [],
  iterationEnded: async () => undefined,
  checkpoint: async () => undefined,
  sendBackRejected: async () => [],
  waitingGates: async () => [],
}

/** A loop in a process of its own, killed with its agent at work. */
async function killedLoop(): Promise<void> {
  const before = (await given()).length
  await world.put(
    'loop.ts',
    `import { openParts } from '${new URL('./world.ts', import.meta.url)}'
     import { runLoop } from '${new URL('../../src/loop/loop.ts', import.meta.url)}'
     const { parts } = openParts(${JSON.stringify(world.project)})
     await runLoop(parts, ${JSON.stringify(world.options(OPTIONS))}, () => undefined)`,
  )
  const child = fork(join(world.project, 'loop.ts'), { stdio: 'ignore' })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  const looking = setInterval(async () => {
    const hangs = existsSync(join(world.project, 'given.jsonl')) && (await given()).length > before
    if (hangs) child.kill('SIGKILL')
  }, 50)
  await exit
  clearInterval(looking)
}
