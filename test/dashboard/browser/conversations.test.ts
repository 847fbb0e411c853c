import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script>'

async function talked({ ralph }: DashboardWorld, id: string, title: string, more: object = {}) {
  const { exchangeId } = await ralph.conversations.record(
    {
      ...{
        conversationId: id,
        userMessage: `How do I fix ${title}?`,
        assistantMessage: 'Set it to 120 seconds.',
      },
      ...more,
    },
    { source: 'claude-code', title },
  )
  return exchangeId
}

describe.skipIf(noBrowser)(`conversations on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are listed, found, opened down to the steps of an exchange', async () => {
    const world = await dashboardWorld()
    const messages = Array.from({ length: 60 }, (_, at) => ({
      ...{ role: at % 2 ? 'tool_result' : 'tool_call', toolName: 'Bash', content: `step number ${at}` },
    }))
    await talked(world, 'a/b?c', 'the timeout', { messages })
    for (let at = 0; at < 60; at++) await talked(world, `other-${at}`, `question ${at}`)
    const { page, complaints } = await openPage(world.at('/conversations'))
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(50)
    await page.getByRole('button', { name: 'More' }).click()
    await expect.poll(() => rows.count()).toBe(61)
    // What was opened stays open when somebody else adds to it.
    await talked({ ...world, ralph: await world.another() }, 'news', 'the news')
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(62)
    await page.getByLabel('Search what was said').fill('fix the timeout')
    await page.keyboard.press('Enter')
    await page
      .getByRole('list', { name: 'Exchanges that were found' })
      .getByText('the timeout')
      .first()
      .click()
    await page.getByRole('heading', { name: 'Exchange 1' }).waitFor()
    await page.getByText('step number 0').waitFor()
    expect(await page.getByText('step number 50').count()).toBe(0)
    await page.getByRole('button', { name: 'Later steps' }).click()
    await page.getByText('step number 50').waitFor()
    expect(page.url()).toContain('from=50')
    await page.getByRole('link', { name: 'the timeout' }).click()
    await page.getByRole('link', { name: '60 steps in between' }).waitFor()
    expect(new URL(page.url()).searchParams.get('id')).toBe('a/b?c')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByText('step number 0').waitFor()
    expect(complaints).toEqual([])
  })

  it('are tagged, voted for and forgotten, in the database', async () => {
    const world = await dashboardWorld()
    const { conversations } = world.ralph
    const exchange = await talked(world, 'c', 'the timeout')
    await talked(world, 'd', 'the colour')
    const { page, complaints } = await openPage(world.at('/conversations/one?id=c'))
    await page.getByLabel('New tag').fill('Deploy Work')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'deploy-work' }).waitFor()
    expect(await conversations.tags.of('c')).toEqual(['deploy-work'])
    await page.getByRole('button', { name: 'this conversation helped' }).click()
    await expect.poll(async () => (await conversations.history.conversation('c'))?.votes).toBe(1)
    await page.getByText('+1').waitFor()
    await page.getByRole('button', { name: 'this exchange did not help' }).click()
    await page.getByText('−1').waitFor()
    expect((await conversations.history.exchange(exchange))?.votes).toBe(-1)

    await page.goto(world.at('/conversations'))
    await page.getByLabel('Tag').selectOption('deploy-work')
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('the timeout')])
    await rows.first().click()
    await page.getByRole('button', { name: 'take the tag deploy-work away' }).click()
    await page.getByRole('link', { name: 'deploy-work' }).waitFor({ state: 'detached' })
    expect(await conversations.tags.of('c')).toEqual([])

    await page.getByRole('button', { name: 'Forget this conversation' }).click()
    await page.getByText('Forget this conversation with 1 exchange for good?').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('the colour').waitFor()
    expect(await conversations.history.conversation('c')).toBeUndefined()
    expect(await conversations.history.exchange(exchange)).toBeUndefined()
    expect(complaints).toEqual([])
  })

  it('show every text as text', async () => {
    const world = await dashboardWorld()
    const messages = [{ role: 'tool_call', toolName: ATTACK, content: ATTACK }]
    const said = { userMessage: ATTACK, assistantMessage: ATTACK, messages }
    const exchange = await talked(world, ATTACK, ATTACK, said)
    const { page, complaints } = await openPage(world.at('/conversations'))
    await page.getByRole('list', { name: 'Conversations' }).getByText(ATTACK).first().click()
    await page.getByRole('heading', { name: ATTACK }).waitFor()
    expect(await page.getByRole('list', { name: 'Exchanges' }).innerText()).toContain(ATTACK)
    await page.goto(world.at(`/conversations/exchange?id=${exchange}`))
    expect(await page.getByRole('list', { name: 'Steps' }).innerText()).toContain(ATTACK)
    await page.goto(world.at(`/conversations?${new URLSearchParams({ query: ATTACK, tag: ATTACK })}`))
    await page.getByText('Nothing in past conversations is similar enough').waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('appear as others have them, teach where there are none, and say what is not there', async () => {
    const world = await dashboardWorld({ readOnly: true })
    const { page } = await openPage(world.at('/conversations'))
    await page.getByText('No conversations yet').waitFor()
    await talked({ ...world, ralph: await world.another() }, 'c', 'the news')
    await page.getByText('the news').first().click()
    await page.getByRole('heading', { name: 'the news' }).waitFor()
    expect(await page.getByRole('button', { name: /Forget|tag|helped/ }).count()).toBe(0)
    await page.goto(world.at('/conversations/one?id=nobody'))
    await page.getByRole('alert').getByText('there is no conversation nobody').waitFor()
  })
})
