import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { shortIdOf } from '../../src/lookup/address.ts'
import { find } from '../../src/lookup/find.ts'
import { open } from '../../src/lookup/open.ts'
import { openRalph } from '../../src/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Two projects of one user; the first has one of everything. */
async function world() {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  const opened = async (name: string) => {
    const project = join(folder, name)
    mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
    const ralph = await openRalph({
      ...{ project, home, onNotice: () => undefined, env: { RALPH_EMBEDDER: 'none' } },
    })
    onTestFinished(() => ralph.close())
    return ralph
  }
  const [shop, other] = [await opened('shop'), await opened('other')]
  const error = { message: "TypeError: cannot read 'user'", filePath: 'src/login.ts', line: 7 }
  await shop.featureMemory.recordIteration(
    newIteration({ feature: 'login-form', errors: [error], taskId: 1 }),
  )
  await shop.featureMemory.recordIteration(newIteration({ feature: 'payments', taskId: 2 }))
  await shop.board.addFeature({ name: 'login-form' })
  await shop.board.addTask({ title: 'Build the form', feature: 'login-form' })
  const { learning } = await shop.learnings.append('login-form', {
    ...{
      text: 'getSession() returns a userId',
      reason: 'the form crashed on it',
      source: 'human',
      iteration: 1,
    },
  })
  shop.receipts.append({ surface: 'mcp', event: 'search_feature_memory', run: 'r1', items: [] })
  const request = (project: string, taskTitle: string) => ({
    ...{ project, taskId: 1, taskTitle, gateType: 'review', approach: 'as asked' },
  })
  const gate = await shop.knowledge.gates.request(request(shop.config.project, 'Build the form'))
  const foreign = await other.knowledge.gates.request(request(other.config.project, 'A secret of the other'))
  const { id: entry } = await shop.knowledge.capture({
    ...{ kind: 'failure_solution', project: shop.config.project },
    ...{ failureDescription: 'the cookie is lost', solutionSteps: 'set it on the answer' },
  })
  await shop.conversations.record({
    ...{ conversationId: 'about_cookies%1', id: 'exchange-1' },
    ...{ userMessage: 'Why is the cookie lost?', assistantMessage: 'Nobody sets it.' },
  })
  await shop.conversations.record({
    ...{ conversationId: 'about_cookies%2', id: 'exchange-2' },
    ...{ userMessage: 'And now?', assistantMessage: 'It is set.' },
  })
  return { shop, other, gate, foreign, entry, learning: learning! }
}

const opens = async (ralph: Awaited<ReturnType<typeof world>>['shop'], typed: string) => {
  const found = await find(ralph, typed)
  expect(found.map(({ address }) => shortIdOf(address))).toHaveLength(1)
  return open(ralph, found[0]!.address)
}

describe('whatever has an id', () => {
  it('is opened in full by it, by its beginning, and as other commands print it', async () => {
    const { shop, gate, entry } = await world()
    const [met] = await shop.featureMemory.errors('login-form')
    const [known] = await shop.learnings.known('login-form')
    const { receipts } = await (await import('../../src/receipts/read.ts')).readReceipts(
      shop.config.paths.receipts,
    )
    expect(await opens(shop, 'i-login-form-1')).toMatchObject({
      ...{ kind: 'iteration', record: { iterationNumber: 1 } },
      errors: [{ id: met!.id }],
      learnings: [{ id: known!.id }],
    })
    expect(await opens(shop, 'login-form/1')).toMatchObject({ kind: 'iteration', feature: 'login-form' })
    expect(await opens(shop, `l-${known!.id.slice(0, 5)}`)).toMatchObject({
      ...{ kind: 'learning', learning: { text: 'getSession() returns a userId' } },
    })
    expect(await opens(shop, met!.id)).toMatchObject({ kind: 'error', error: { filePath: 'src/login.ts' } })
    for (const typed of ['t-1', 't1', '#1'])
      expect(await opens(shop, typed)).toMatchObject({ kind: 'task', task: { title: 'Build the form' } })
    expect(await opens(shop, 'f-login')).toMatchObject({ kind: 'feature', name: 'login-form', iterations: 1 })
    expect(await opens(shop, entry.slice(0, 8))).toMatchObject({ kind: 'knowledge', state: 'staged' })
    expect(await opens(shop, `g-${gate.id.slice(0, 6)}`)).toMatchObject({
      kind: 'gate',
      gate: { id: gate.id },
    })
    expect(await opens(shop, `r-${receipts[0]!.id.slice(0, 8)}`)).toMatchObject({ kind: 'receipt' })
    expect(await opens(shop, 'x-exchange-1')).toMatchObject({
      ...{ kind: 'exchange', exchange: { userMessage: 'Why is the cookie lost?' } },
    })
    expect(await opens(shop, 'c-about_cookies%2')).toMatchObject({
      ...{ kind: 'conversation', exchanges: [{ id: 'exchange-2' }] },
    })
  })

  it('is listed where the beginning fits several, and no sign in an id stands for others', async () => {
    const { shop } = await world()
    const alike = await find(shop, 'c-about')
    expect(alike.map(({ address }) => shortIdOf(address))).toEqual(['c-about_cookies%1', 'c-about_cookies%2'])
    expect(await find(shop, 'c-about%')).toEqual([])
    expect((await find(shop, 'i1')).map(({ address }) => shortIdOf(address))).toEqual([
      ...['i-login-form-1', 'i-payments-1'],
    ])
    expect(await find(shop, 'i1', { feature: 'payments' })).toHaveLength(1)
    expect(await find(shop, 'nothing-of-the-kind')).toEqual([])
    await expect(find(shop, ' ')).rejects.toThrow('the id is empty')
  })

  it('is not another project’s, and of a run no knowledge of projects', async () => {
    const { shop, foreign, entry, learning } = await world()
    expect(learning.text).toBeTruthy()
    expect(await find(shop, `g-${foreign.id}`)).toEqual([])
    expect(await find(shop, foreign.id)).toEqual([])
    expect(await find(shop, `k-${entry}`, { inRun: true })).toEqual([])
  })

  it('is found although another memory is down, which is said', async () => {
    const { shop } = await world()
    const down = async () => {
      throw new (await import('../../src/errors.ts')).RalphError('unavailable', 'PostgreSQL does not answer')
    }
    const broken = {
      ...shop,
      conversations: { ids: { named: down } } as unknown as typeof shop.conversations,
    }
    const said = shop.notices
    expect(
      await find({ ...broken, featureMemory: shop.featureMemory, notices: said }, 'login-form-1'),
    ).toHaveLength(1)
    expect(said.current().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('PostgreSQL does not answer'),
    )
    await expect(find({ ...broken, featureMemory: shop.featureMemory }, 'c-about')).rejects.toThrow(
      'PostgreSQL',
    )
  })
})
