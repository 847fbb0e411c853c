import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { Book, tally } from './core/book.ts'
import { Random } from './core/random.ts'
import { killedPath, runTrial, settled, type Trial, type TrialResult } from './core/trial.ts'
import { makeWorld, openProduct, type World } from './core/world.ts'
import { path as record } from './paths/record.ts'
import { crowd } from './troubles/crowd.ts'
import { indexDeleted } from './troubles/index-deleted.ts'

const SEED = 20_261_117

beforeAll(async () => {
  await builtCommand()
})

async function run(trial: Trial, writes: number): Promise<TrialResult> {
  return runTrial(trial, {
    ...{ folder: await temporaryFolder(), random: new Random(SEED).fork(trial.name), writes },
    ...{ signal: AbortSignal.timeout(45_000), progress: () => undefined },
  })
}

describe('a short soak', () => {
  it.each([killedPath('record', 0), killedPath('board', 0), killedPath('conversations', 0)])(
    'loses nothing of $path however often writers are killed',
    async (trial) => {
      const result = await run(trial, 25)
      expect(result.failures).toEqual([])
      expect(result).toMatchObject({ found: result.acknowledged, doubled: 0, damaged: 0 })
      expect(result.kills).toBeGreaterThan(0)
    },
  )

  it.each([crowd, indexDeleted])('loses nothing with $what', async (trial) => {
    const result = await run(trial, 40)
    expect(result.failures).toEqual([])
    expect(result.acknowledged).toBeGreaterThanOrEqual(40)
  })
})

describe('the checker', () => {
  /** So many iterations that were acknowledged, and who wrote them. */
  async function written(count: number): Promise<{ world: World; book: Book; ids: string[] }> {
    const world = makeWorld(await temporaryFolder())
    const book = new Book()
    const ids = Array.from({ length: count }, (_, at) => `w0n${at}`)
    const ralph = await openProduct(world)
    for (const id of ids) {
      book.hear(`try ${id}`)
      await record.write(ralph, id, { world, acknowledge: () => undefined })
      book.hear(`ok ${id}`)
    }
    await ralph.close()
    return { world, book, ids }
  }
  const check = ({ world, book }: { world: World; book: Book }) =>
    settled({ name: 'record', what: record.what, world, random: new Random(1) }, [record], {
      ...{ book, kills: 0, crashed: [] },
    })
  const journal = ({ project }: World) => join(project, '.ralph', 'db', 'memory', 'payment.jsonl')

  it('has nothing to say of a writer that keeps its word', async () => {
    const result = await check(await written(6))
    expect(result).toMatchObject({ acknowledged: 6, found: 6, failures: [], rebuilt: 'same' })
  })

  it('catches a writer that drops what it acknowledged', async () => {
    const lossy = await written(4)
    lossy.book.hear('try w0n9')
    lossy.book.hear('ok w0n9')
    const result = await check(lossy)
    expect(result).toMatchObject({ acknowledged: 5, found: 4 })
    expect(result.failures[0]).toBe('1 acknowledged and lost: w0n9')
  })

  it('catches a writer that writes twice', async () => {
    const twice = await written(4)
    const ralph = await openProduct(twice.world)
    await record.write(ralph, 'w0n2', { world: twice.world, acknowledge: () => undefined })
    await ralph.close()
    const result = await check(twice)
    expect(result).toMatchObject({ found: 4, doubled: 1 })
    expect(result.failures).toContain('1 there more than once: w0n2')
  })

  it('catches a line that was torn, and one that says something else', async () => {
    const torn = await written(3)
    appendFileSync(journal(torn.world), '{"version":1,"record":{"summ\n')
    expect((await check(torn)).failures.join()).toContain('a line that cannot be read')

    const changed = await written(2)
    const ralph = await openProduct(changed.world)
    const [first] = await ralph.featureMemory.recent('payment', 1)
    await ralph.featureMemory.recordIteration({ ...first!, summary: 'w0n7 says nothing of the kind' })
    await ralph.close()
    changed.book.hear('try w0n7')
    expect((await check(changed)).failures.join()).toContain('w0n7: says something else')
  })

  it('catches what nobody wrote, and lets what nobody acknowledged be there or not', () => {
    const book = new Book()
    for (const line of ['try a1', 'ok a1', 'try a2', 'try a3', 'no a3 the disk is full']) book.hear(line)
    expect(tally(book, { ids: ['a1', 'a2'] })).toMatchObject({ lost: [], doubled: [], damaged: [] })
    expect(tally(book, { ids: ['a1'] })).toMatchObject({ lost: [], doubled: [], damaged: [] })
    expect(tally(book, { ids: ['a1', 'a2', 'a2'] }).doubled).toEqual(['a2'])
    expect(tally(book, { ids: ['a1', 'b9'] }).damaged).toEqual(['b9: nobody wrote it'])
    expect(() => book.hear('a torn li')).toThrow('a writer said')
  })

  it('catches an index that, built again, finds something else', async () => {
    const { world, book } = await written(3)
    let asked = 0
    const fickle = { ...record, search: async () => [['w0n0', 'w0n1', 'w0n2'], asked++ < 12] }
    const result = await settled({ name: 'record', what: '', world, random: new Random(1) }, [fickle], {
      ...{ book, kills: 0, crashed: [] },
    })
    expect(result.rebuilt).toBe('different')
    expect(result.failures.join()).toContain('found differently after the index was built again')
  })

  it('fails a trial that could not be ended, or in which nothing was acknowledged', async () => {
    const broken: Trial = { name: 'x', what: 'x', share: 1, run: () => Promise.reject(new Error('no')) }
    expect((await run(broken, 1)).failures).toEqual(['it could not be ended: no'])
    const idle = await written(0)
    expect((await check(idle)).failures).toEqual(['nothing was ever acknowledged'])
  })
})
