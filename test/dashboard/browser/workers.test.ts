import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script>'

/** As many exchanges as there are problems; a worker has given each of them up, or tries it again, for that reason. */
async function failed(world: DashboardWorld, problems: readonly { problem: string; givenUp: boolean }[]) {
  const ids: string[] = []
  for (const at of problems.keys()) {
    const said = { conversationId: `c-${at}`, userMessage: `why ${at}`, assistantMessage: 'because' }
    ids.push((await world.ralph.conversations.record(said)).exchangeId)
  }
  const { id: person } = await world.ralph.people.you()
  const database = new DatabaseSync(join(world.home, 'ralph.db'))
  const insert = database.prepare(
    `insert into conversation_work (person, worker, item_id, attempts, not_before, given_up, problem, lease_until)
     values (?, 'exchange', ?, 3, ?, ?, ?, 0)`,
  )
  for (const [at, { problem, givenUp }] of problems.entries())
    insert.run(person, ids[at]!, Date.now() + 3_600_000, givenUp ? 1 : 0, problem)
  database
    .prepare(
      `insert into spend
       (person, month, purpose, model, calls, input_tokens, output_tokens, usd, estimated_usd, unpriced_calls)
       values (?, ?, 'summaries', 'openai:m', 12, 34567, 890, 0.75, 0.25, 0)`,
    )
    .run(person, new Date().toISOString().slice(0, 7))
  database.close()
  return ids
}

describe.skipIf(noBrowser)(`workers on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are switched off and on for every process, and seen to run in another one', async () => {
    const world = await dashboardWorld()
    await world.ralph.conversations.record({
      ...{ conversationId: 'c', userMessage: 'why', assistantMessage: 'because' },
    })
    const { page, complaints } = await openPage(world.at('/workers'))
    const card = page.getByRole('region', { name: 'Embeddings' })
    await page.getByText('no process does it').waitFor()
    await card.getByRole('button', { name: 'Switch off' }).click()
    await card.getByText('○ off').waitFor()
    const other = await (await world.another()).openConversations()
    expect((await other.workers.status('embedding')).enabled).toBe(false)
    await card.getByRole('button', { name: 'Switch on' }).click()
    await card.getByText('on, not running').waitFor()
    expect((await other.workers.status('embedding')).enabled).toBe(true)
    other.workers.start()
    await card.getByText('idle').waitFor()
    await page.getByText('embedded: 1 conversations, 1 exchanges').waitFor()
    await other.workers.stop()
    expect(complaints).toEqual([])
  })

  it('list what they could not do: tried again one by one or together, cleared, and what was spent', async () => {
    const world = await dashboardWorld()
    const [, second] = await failed(world, [
      { problem: ATTACK, givenUp: true },
      { problem: 'the model did not answer', givenUp: true },
      { problem: 'too many requests', givenUp: false },
    ])
    const { workers } = world.ralph.conversations
    const listed = async () => (await workers.queue()).items.map(({ problem }) => problem).toSorted()
    const { page, complaints } = await openPage(world.at('/workers'))
    const items = page.getByRole('list', { name: 'Items that failed' }).getByRole('listitem')
    await expect.poll(() => items.count()).toBe(3)
    await page.getByText(ATTACK).waitFor()
    await page.getByText('of at most $1.00 ($0.25 of it estimated)').waitFor()
    await page.getByText('34,567 tokens in').waitFor()

    await page.getByRole('button', { name: `Try again ${second}` }).click()
    await expect.poll(() => items.count()).toBe(2)
    expect(await listed()).toEqual([ATTACK, 'too many requests'])
    await page.getByRole('button', { name: 'Clear what was given up' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('1 taken off the list').waitFor()
    expect(await listed()).toEqual(['too many requests'])
    expect((await workers.status('exchange')).queue).toMatchObject({ cleared: 1, retrying: 1 })
    await page.getByRole('button', { name: 'Try all again' }).click()
    await page.getByText('Nothing has failed').waitFor()
    expect((await workers.status('exchange')).queue).toMatchObject({ cleared: 0, retrying: 0 })
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('lead to what failed, and cannot be changed where the page is to look only', async () => {
    const world = await dashboardWorld({ readOnly: true })
    await failed(world, [{ problem: 'the model did not answer', givenUp: true }])
    const { page, complaints } = await openPage(world.at('/workers'))
    await page.getByText('the model did not answer').waitFor()
    await page.getByText('look only').waitFor()
    expect(await page.getByRole('button', { name: /Switch|Try|Clear/ }).count()).toBe(0)
    await page.getByRole('list', { name: 'Items that failed' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'Exchange 1' }).waitFor()
    expect(complaints).toEqual([])
  })
})
