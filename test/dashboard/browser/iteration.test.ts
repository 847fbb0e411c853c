import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld, storyWorld } from '../../support/dashboard.ts'
import { newIteration } from '../../support/records.ts'

describe.skipIf(noBrowser)(`an iteration on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const world = storyWorld()

  it('shows the prompt with each memory marked, and leads to where it came from', async () => {
    const { page, complaints } = await openPage(world().at('/features/checkout/iterations/33'))
    const told = page.getByRole('region', { name: 'What it was told' })
    await told.getByText('## Your task: 4').waitFor()
    expect(await page.title()).toBe('Iteration 33 · checkout · shop · Ralph')
    const marks = told.locator('pre mark')
    const items = told.getByRole('listitem')
    expect(await marks.count()).toBeGreaterThan(5)
    expect(await items.count()).toBe(await marks.count())
    expect(await marks.first().getByRole('link').getAttribute('href')).toBe(
      '/features/checkout/iterations/28',
    )
    await items.first().getByRole('link', { name: 'in the text' }).click()
    expect(new URL(page.url()).hash).toBe('#told-0-0')
    await items
      .first()
      .getByRole('link', { name: /^iteration \d+$/ })
      .click()
    await page.waitForURL(/iterations\/28/)
    await page.goBack()
    await told
      .getByRole('link', { name: /^learning / })
      .first()
      .click()
    await page.waitForURL(/tab=learnings&learning=/)
    await page.getByRole('list', { name: 'Learnings' }).getByText('the one you came for').waitFor()
    await page.goBack()
    await told
      .getByRole('link', { name: /^error / })
      .first()
      .click()
    await page.getByRole('button', { name: /only error/ }).waitFor()
    expect(complaints).toEqual([])
  })

  it('tells what it did and what it left', async () => {
    const { page, complaints } = await openPage(world().at('/features/checkout/iterations/11'))
    const did = page.getByRole('region', { name: 'What it did' })
    await did.getByText('✓ passed').waitFor()
    await did.getByRole('link', { name: 'src/payment/charge.ts' }).waitFor()
    const left = page.getByRole('region', { name: 'What it left' })
    await left.getByText('Each order carries an idempotency key').waitFor()
    await left.getByText('by the changes of this one').waitFor()
    await left.getByText('Use the order id as the idempotency key').waitFor()
    expect(complaints).toEqual([])
  })

  it('says where nothing is kept, or nothing is there', async () => {
    const own = await dashboardWorld()
    await own.ralph.featureMemory.recordIteration(
      newIteration({ feature: 'cart', summary: 'Looked around.' }),
    )
    const { page } = await openPage(own.at('/features/cart/iterations/1'))
    await page.getByText('Nothing is kept of what it was told').waitFor()
    await page.getByText('Nothing that left a trace').waitFor()
    await page.getByText('It met none and solved none.').waitFor()
    await page.goto(own.at('/features/cart/iterations/9'))
    await page.getByRole('alert').getByText('there is no iteration 9 of "cart"').waitFor()
    await page.goto(own.at('/features/cart/iterations/nine'))
    await page.getByRole('alert').waitFor()
  })
})
