import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

describe.skipIf(noBrowser)("a day's review", () => {
  it('is done with the keyboard alone: a gate, a contradiction, three learnings', async () => {
    const { at, ralph, project } = await dashboardWorld()
    await ralph.board.addFeature({ name: 'cart' })
    const texts = [
      'Always use bcrypt to hash passwords in the login route',
      'Never use bcrypt to hash passwords in the login route',
      'Prices are kept in whole cents',
      'The order id is the idempotency key of a charge',
      'The test database has to be migrated before npm test',
    ]
    for (const text of texts)
      await ralph.learnings.append('cart', { text, reason: 'seen in a run', source: 'agent' })
    const request = { project, gateType: 'review', feature: 'cart', taskId: 7, approach: 'Summed in cents.' }
    const gate = await ralph.knowledge.gates.request(request)
    const { page, complaints } = await openPage(at('/'))
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }

    await page.getByText('waits at the gate review').waitFor()
    await press('j', 'Enter')
    await page.getByText('Summed in cents.').waitFor()
    await press('a')
    await page.getByRole('button', { name: 'Yes' }).waitFor()
    await press('Enter')
    await expect
      .poll(async () => await ralph.knowledge.gates.show(gate.id))
      .toMatchObject({ state: 'approved', decidedHow: 'page' })

    await press('g', 'o')
    await page.getByText('contradicts 1 other learning').waitFor()
    await page.getByText('waits at the gate review').waitFor({ state: 'detached' })
    await press('j', 'Enter')
    await page.getByRole('list', { name: 'Contradictions' }).waitFor()
    await press('j', '1')
    await page.getByText('Delete the other one?').waitFor()
    await press('Enter')
    await expect.poll(async () => (await ralph.learnings.known('cart')).length).toBe(4)
    await page.getByRole('list', { name: 'Contradictions' }).waitFor({ state: 'detached' })

    const left = async () => (await ralph.learnings.known('cart')).filter((one) => !one.reviewed).length
    for (const before of [3, 2, 1]) {
      await press('g', 'o')
      await page.getByText(`${before} learning${before > 1 ? 's' : ''} that nobody has looked at`).waitFor()
      await page.getByText('contradicts 1 other learning').waitFor({ state: 'detached' })
      await press('j', 'Enter')
      await page.locator('.row:focus [data-learning]').waitFor()
      await press('a')
      await expect.poll(left).toBe(before - 1)
    }
    await press('g', 'o')
    await page.getByText('Nothing: no gate').waitFor()
    expect(complaints).toEqual([])
  })
})
