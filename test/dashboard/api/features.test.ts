import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type NewIteration, toJournalLine } from '../../../src/feature-memory/record.ts'
import { errorSignature } from '../../../src/text/error-signature.ts'
import { openedApi } from '../../support/dashboard-api.ts'
import { iteration, newIteration } from '../../support/records.ts'

async function opened() {
  const { ralph, ask, project } = await openedApi()
  const add = (fields: Parameters<typeof newIteration>[0] = {}) =>
    ralph.featureMemory.recordIteration(newIteration({ feature: 'cart', ...fields }))
  // biome-ignore lint/suspicious/noExplicitAny: what is expected of an answer is said by each test
  return { ralph, ask: ask<any>, add, project }
}

const test = 'npm test'
const MESSAGE = 'cart.test.ts > total: expected 9 to be 10'
const failing: Partial<NewIteration> = {
  outcome: 'failure',
  errors: [{ message: MESSAGE, filePath: 'src/cart.ts', command: test }],
  checks: [
    {
      command: test,
      kind: 'test',
      result: 'failed',
      signatures: [errorSignature(MESSAGE)],
    },
  ],
  filesTouched: [{ path: 'src/cart.ts', action: 'modified' }],
}
const passing: Partial<NewIteration> = {
  outcome: 'success',
  checks: [{ command: test, kind: 'test', result: 'passed', signatures: [], changedBefore: true }],
  filesTouched: [
    { path: 'src/cart.ts', action: 'modified' },
    { path: 'src/tax.ts', action: 'created' },
  ],
}

describe('a feature', () => {
  it('is known by the board, by its tasks or by its journal, and otherwise not at all', async () => {
    const { ralph, ask, add } = await opened()
    await ralph.board.addFeature({ name: 'cart', displayName: 'The cart', description: 'Adds up.' })
    await ralph.board.addTask({ feature: 'later', title: 'Think' })
    await add({ feature: 'old' })
    expect((await ask('/features/cart')).body).toMatchObject({ displayName: 'The cart', onBoard: true })
    expect((await ask('/features/later')).body).toMatchObject({ onBoard: false, tasks: 1 })
    expect((await ask('/features/old')).body).toMatchObject({ onBoard: false, tasks: 0 })
    expect(await ask('/features/nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', hint: 'ralph feature list' } },
    })
  })

  it('may be called anything', async () => {
    const { ask, add } = await opened()
    const name = 'päy/../now?a=1&b #% 100%'
    await add({ feature: name })
    const path = `/features/${encodeURIComponent(name)}`
    expect((await ask(path)).body).toMatchObject({ name })
    expect((await ask(`${path}/iterations`)).body).toMatchObject({ items: [{ iterationNumber: 1 }] })
    expect((await ask(`${path}/iterations/1`)).body).toMatchObject({ record: { feature: name } })
    expect((await ask(`${path}/learnings`)).body).toEqual({ items: [] })
  })

  it('gives its iterations page by page and filtered', async () => {
    const { ask, add } = await opened()
    await add(failing)
    await add({ ...passing, taskId: 7 })
    await add({ taskId: 0, kind: 'session', outcome: 'timeout' })
    const first = (await ask('/features/cart/iterations?limit=2')).body
    expect(first).toMatchObject({ counting: false, matching: 3, all: 3 })
    const second = (await ask(`/features/cart/iterations?limit=2&after=${first.next}`)).body
    const numbers = (page: { items: { iterationNumber: number }[] }) =>
      page.items.map((one) => one.iterationNumber)
    expect([numbers(first), numbers(second), second.next]).toEqual([[3, 2], [1], undefined])
    const filtered = async (query: string) => numbers((await ask(`/features/cart/iterations?${query}`)).body)
    expect(await filtered('outcome=success,failure')).toEqual([2, 1])
    expect(await filtered('kind=session')).toEqual([3])
    expect(await filtered('task=7')).toEqual([2])
    expect(await filtered('file=src%2Ftax.ts')).toEqual([2])
  })

  it.each([
    'iterations?outcome=good',
    'iterations?limit=0',
    'iterations?limit=9999',
    'iterations?after=x',
    'iterations?task=-1',
    'errors?life=dead',
    'files?last=0',
    'trend?last=many',
    'iterations/0',
    'iterations/one',
  ])('refuses %s', async (path) => {
    const { ask, add } = await opened()
    await add()
    expect(await ask(`/features/cart/${path}`)).toMatchObject({ status: 400 })
  })

  it('tells its errors, what is in the way first', async () => {
    const { ask, add } = await opened()
    await add(failing)
    await add(passing)
    await add({
      errors: [{ message: 'TypeError: price of undefined in src/line.ts', command: 'node run.js' }],
    })
    const { body } = await ask('/features/cart/errors')
    expect(body.items.map(({ life }: { life: string }) => life)).toEqual(['open', 'solved'])
    expect(body).toMatchObject({ latest: 3, counts: expect.arrayContaining([{ life: 'solved', count: 1 }]) })
    const solved = (await ask('/features/cart/errors?life=solved')).body.items
    expect(solved).toMatchObject([{ filePath: 'src/cart.ts', solutions: [{ iteration: 2, check: test }] }])
    expect((await ask(`/features/cart/errors?error=${solved[0].id}`)).body.items).toHaveLength(1)
    expect((await ask('/features/cart/errors?limit=1&after=1')).body).toMatchObject({
      items: [{ life: 'solved' }],
    })
  })

  it('tells its files, its tasks and what they come to', async () => {
    const { ralph, ask, add } = await opened()
    const { id } = await ralph.board.addTask({ feature: 'cart', title: 'Add up' })
    await ralph.board.addTask({ feature: 'cart', title: 'Not begun' })
    await add({ ...failing, taskId: id, costUsd: 0.5 })
    await add({ ...passing, taskId: 99 })
    expect((await ask('/features/cart/files')).body).toMatchObject({
      all: 2,
      items: [{ path: 'src/cart.ts', touches: 2 }, { path: 'src/tax.ts' }],
      heat: { from: 1, to: 2, files: [{ path: 'src/cart.ts', iterations: [1, 2] }, {}] },
    })
    expect((await ask('/features/cart/files?named=tax&last=1')).body).toMatchObject({ matching: 1, all: 2 })
    expect((await ask('/features/cart/tasks')).body.items).toMatchObject([
      { id, title: 'Add up', work: { iterations: 1, costUsd: 0.5 } },
      { title: 'Not begun' },
      { id: 99, work: { iterations: 1 } },
    ])
    expect((await ask('/features/cart/trend')).body).toMatchObject({
      totals: { iterations: 2, outcomes: { success: 1, failure: 1 } },
      points: [{ from: 1 }, { from: 2 }],
    })
  })
})

describe('an iteration', () => {
  it('tells what it did and what it left', async () => {
    const { ralph, ask, add } = await opened()
    await add({ ...failing, summary: 'Summed the lines. Next: round the total.' })
    await add({ ...passing, taskId: 42 })
    await ralph.learnings.append('cart', {
      ...{ text: 'Totals are kept in cents', reason: 'rounding', source: 'agent', iteration: 2 },
    })
    const { body } = await ask('/features/cart/iterations/1')
    expect(body).toMatchObject({
      record: { iterationNumber: 1, outcome: 'failure' },
      ending: 'worked and was not done',
      words: { left: 'round the total.' },
      next: 2,
      twins: [],
    })
    expect((await ask('/features/cart/iterations/1/left')).body).toMatchObject({
      errors: [{ life: 'solved', met: true, first: true }],
      learnings: [],
    })
    expect((await ask('/features/cart/iterations/2/left')).body).toMatchObject({
      errors: [{ met: false, solved: { check: test, shownIn: 2, byThis: true } }],
      learnings: [{ text: 'Totals are kept in cents' }],
    })
    expect(await ask('/features/cart/iterations/3')).toMatchObject({ status: 404 })
  })

  it('tells what it was told', async () => {
    const { ralph, ask, add } = await opened()
    const item = { kind: 'learning', source: 'learning abc', why: 'words', text: 'Cents.' }
    const sent = { surface: 'hook', event: 'SessionStart', run: 's1', feature: 'cart' } as const
    const { timestamp } = ralph.receipts.append({ ...sent, text: 'So: Cents.', items: [item] })
    await add({ kind: 'session', taskId: 0, sessionId: 's1', timestamp })
    expect((await ask('/features/cart/iterations/1/told')).body).toMatchObject({
      tellings: [{ event: 'SessionStart', text: [{ text: 'So: ' }, { text: 'Cents.', item: 0 }] }],
    })
  })

  it('is told apart from one of the same number', async () => {
    const { ralph, ask, add } = await opened()
    await add({ summary: 'ours' })
    const theirs = iteration({ feature: 'cart', summary: 'theirs', iterationNumber: 1 })
    appendFileSync(ralph.featureMemory.journal('cart').path, `${toJournalLine(theirs)}\n`)
    const { body } = await ask('/features/cart/iterations/1')
    expect(body.record.summary).toBe('theirs')
    const other = await ask(`/features/cart/iterations/1?id=${body.twins[0].id}`)
    expect(other.body.record.summary).toBe('ours')
    expect(await ask('/features/cart/iterations/1?id=nobody')).toMatchObject({ status: 404 })
  })
})

describe('learnings', () => {
  it('are reviewed, edited, settled and removed by a person, on the page', async () => {
    const { ralph, ask, project } = await opened()
    const said = async (text: string) =>
      (await ralph.learnings.append('cart', { text, reason: 'seen', source: 'agent' })).learning!
    await said('Always round the total of the cart')
    await said('Never round the total of the cart')
    await said('Prices come from <suppliers>')
    const list = async () => (await ask('/features/cart/learnings')).body.items
    const idOf = async (text: string) =>
      (await list()).find((one: { text: string }) => one.text.startsWith(text)).id as string
    const yaml = () => readFileSync(join(project, '.ralph/db/features.yaml'), 'utf8')

    expect(await ask(`/features/cart/learnings/${await idOf('Prices')}/review`, 'POST')).toMatchObject({
      body: { outcome: 'reviewed' },
    })
    expect(yaml()).toContain('how: page')
    const edited = { text: 'Prices come from <suppliers>, in four decimals' }
    expect(await ask(`/features/cart/learnings/${await idOf('Prices')}`, 'PUT', edited)).toMatchObject({
      body: { outcome: 'edited' },
    })
    expect(yaml()).toContain('in four decimals')
    expect((await list()).map(({ text }: { text: string }) => text)).toContain(edited.text)
    const always = await idOf('Always')
    expect(
      await ask(`/features/cart/learnings/${always}/resolve`, 'POST', { decision: 'keep_this' }),
    ).toMatchObject({ body: { outcome: 'resolved', why: '1 removed' } })
    expect(yaml()).not.toContain('Never round')
    expect(await ask(`/features/cart/learnings/${always}`, 'DELETE')).toMatchObject({
      body: { outcome: 'removed' },
    })
    expect(yaml()).not.toContain('Always round')
  })

  it('say what is wrong with a request', async () => {
    const { ralph, ask } = await opened()
    const { learning } = await ralph.learnings.append('cart', {
      text: 'Cents',
      reason: 'seen',
      source: 'agent',
    })
    await ralph.learnings.append('cart', {
      text: 'Prices come from suppliers',
      reason: 'seen',
      source: 'agent',
    })
    const [, other] = (await ask('/features/cart/learnings')).body.items
    expect(await ask('/features/cart/learnings/zzzzzzzz', 'DELETE')).toMatchObject({ status: 404 })
    const twin = { text: 'Prices come from suppliers' }
    const [mine] = (await ask('/features/cart/learnings')).body.items.filter(
      ({ text }: { text: string }) => text === learning!.text,
    )
    expect(await ask(`/features/cart/learnings/${mine.id}`, 'PUT', twin)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('says that already') } },
    })
    const settle = `/features/cart/learnings/${other.id}/resolve`
    expect(await ask(settle, 'POST', { decision: 'toss a coin' })).toMatchObject({ status: 400 })
  })
})
