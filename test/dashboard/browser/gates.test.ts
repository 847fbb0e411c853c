import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Ralph } from '../../../src/ralph.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script>'
const CHANGE = `diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -7,3 +7,3 @@ function total()
 const tax = 19
-return net
+return net * 1.19 // ${ATTACK}
diff --git a/.ralph/db/tasks.yaml b/.ralph/db/tasks.yaml
--- a/.ralph/db/tasks.yaml
+++ b/.ralph/db/tasks.yaml
@@ -1 +1 @@
-status: pending
+status: done
`

async function withWork(world: DashboardWorld, titles: readonly string[]): Promise<string[]> {
  const { ralph, project } = world
  await ralph.board.addFeature({ name: 'cart' })
  const ids: string[] = []
  for (const title of titles) {
    const { id } = await ralph.board.addTask({ feature: 'cart', title, status: 'done' })
    const gate = await ralph.knowledge.gates.request({
      ...{ project, feature: 'cart', taskId: id, taskTitle: title, taskDescription: 'A cart with tax' },
      ...{ gateType: 'review', approach: `Added ${title}`, change: CHANGE },
    })
    ids.push(gate.id)
  }
  return ids
}

const gateOf = (ralph: Ralph, id: string) => ralph.knowledge.gates.show(id)
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe.skipIf(noBrowser)(`gates on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are judged with the keyboard alone: one approved, one sent back with words', async () => {
    const world = await dashboardWorld()
    const [first, second] = await withWork(world, ['the cart', 'the totals'])
    const { page, complaints } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await page.getByText('Added the cart').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await heading(page, 'the cart')
    await page.keyboard.press('a')
    await page.getByText('Approve this work?').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/^approved by .+, on the dashboard, /).waitFor()
    expect(await gateOf(world.ralph, first!)).toMatchObject({ state: 'approved', decidedHow: 'page' })

    await page.keyboard.press('n')
    await heading(page, 'the totals')
    await page.keyboard.press('r')
    const send = page.getByRole('button', { name: 'Send back' })
    await send.waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Round up, not to the nearest')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/^rejected by .+, on the dashboard, /).waitFor()
    expect(await gateOf(world.ralph, second!)).toMatchObject({
      ...{ state: 'rejected', decidedHow: 'page', feedback: 'Round up, not to the nearest' },
    })
    expect(await world.ralph.board.task(2)).toMatchObject({ status: 'pending' })
    expect((await world.ralph.knowledge.staged()).entries.map(({ kind }) => kind).toSorted()).toEqual([
      'gate_approval',
      'gate_rejection',
    ])
    await page.getByText('Nothing else waits').waitFor()
    await page.goto(world.at('/gates?tab=decided'))
    await page.getByText('Round up, not to the nearest').waitFor()
    expect(complaints).toEqual([])
  })

  it('show the change with numbers and signs, and what ralph wrote itself on demand', async () => {
    const world = await dashboardWorld()
    const [id] = await withWork(world, ['the cart'])
    const { page, complaints } = await openPage(world.at(`/gates/${id}`))
    const table = page.getByRole('table', { name: 'Changes of src/cart.ts' })
    const rows = async () =>
      (await table.getByRole('row').allInnerTexts()).map((row) => row.split(/\s+/).join(' ').trim())
    await table.waitFor()
    expect(await rows()).toEqual([
      expect.stringContaining('Line before'),
      '… function total()',
      '7 7 const tax = 19',
      '8 − removed return net',
      `8 + added return net * 1.19 // ${ATTACK}`,
    ])
    await page.getByText('.ralph/db/tasks.yaml').waitFor()
    expect(await page.getByText('status: done').count()).toBe(0)
    await page.getByRole('button', { name: 'Show them too' }).click()
    await page.getByText('status: done').waitFor()
    expect(page.url()).toContain('whole=yes')
    expect(complaints).toEqual([])
  })

  it('show every text as text', async () => {
    const world = await dashboardWorld()
    const { ralph, project } = world
    const gate = await ralph.knowledge.gates.request({
      ...{ project, feature: ATTACK, taskId: ATTACK, taskTitle: ATTACK, taskDescription: ATTACK },
      ...{ gateType: ATTACK, approach: ATTACK, change: ATTACK, agentType: ATTACK, technology: ATTACK },
    })
    const { page, complaints } = await openPage(world.at('/gates'))
    await page.getByRole('list', { name: 'Work that waits' }).getByText(ATTACK).first().waitFor()
    await page.goto(world.at(`/gates/${gate.id}`))
    await heading(page, ATTACK)
    for (const region of ['Task', 'Approach', 'Change'])
      expect(await page.getByRole('region', { name: region, exact: true }).innerText()).toContain(ATTACK)
    await page.getByRole('link', { name: ATTACK }).waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('of another project are not there, and what is decided elsewhere is seen at once', async () => {
    const world = await dashboardWorld()
    const [id] = await withWork(world, ['the cart'])
    const other = await world.ralph.knowledge.gates.request({
      ...{ project: '/elsewhere', taskId: 1, taskTitle: 'Of others', gateType: 'review', approach: 'x' },
    })
    const { page } = await openPage(world.at(`/gates/${other.id}`))
    await page.getByRole('alert').getByText('there is no gate').waitFor()
    await page.getByRole('link', { name: 'Gates' }).first().click()
    await page.getByText('Added the cart').waitFor()
    expect(await page.getByText('Of others').count()).toBe(0)
    await page.getByText('the cart').first().click()
    await heading(page, 'the cart')
    await (await world.another()).knowledge.gates.reject(id!, { feedback: 'decided by somebody else' })
    await page.getByText('decided by somebody else').waitFor()
    await page.getByRole('region', { name: 'Decide' }).waitFor({ state: 'detached' })
  })

  it('are to be seen, not decided, where the page is to look only; and teach where there are none', async () => {
    const world = await dashboardWorld({ readOnly: true })
    const { page, complaints } = await openPage(world.at('/gates'))
    await page.getByText('Nothing waits for you').waitFor()
    const [id] = await withWork(world, ['the cart'])
    await page.goto(world.at(`/gates/${id}`))
    await heading(page, 'the cart')
    await page.getByText('look only').waitFor()
    expect(await page.getByRole('button', { name: /Approve|Send back/ }).count()).toBe(0)
    await page.keyboard.press('r')
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
