import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld, storyWorld } from '../../support/dashboard.ts'
import { newIteration } from '../../support/records.ts'

const ATTACK = '<img src=x onerror=alert(1)> \u202Eevil'

describe.skipIf(noBrowser)(`the map of memories${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const story = storyWorld()

  it('shows a point for each memory, tells what it says, and opens it, by keyboard too', async () => {
    const { page, complaints } = await openPage(story().at('/map'))
    const points = page.locator('.map-picture .map-point')
    await points.first().waitFor()
    expect(await points.count()).toBeGreaterThan(30)
    await page.getByRole('group', { name: /memories by meaning/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.map-ring').waitFor()
    expect(await page.locator('.map-selected').innerText()).not.toContain('Point at a memory')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/map')
    expect(complaints).toEqual([])
  })

  it('keeps what is seen in the address: colours, kinds, and the part of the map', async () => {
    const { page, complaints } = await openPage(story().at('/map?by=outcome&kind=iteration'))
    const points = page.locator('.map-picture .map-point')
    await points.first().waitFor()
    await page.locator('.map-tools').getByText('success').waitFor()
    const iterations = await points.count()
    await page.getByRole('button', { name: 'Enlarge' }).click()
    await page.waitForURL((url) => url.searchParams.has('at'))
    await page.reload()
    await points.first().waitFor()
    expect(new URL(page.url()).searchParams.get('at')).toMatch(/,1\.5$/)
    await page.getByRole('button', { name: 'Learnings' }).click()
    await page.waitForURL((url) => url.searchParams.get('kind') === 'iteration,learning')
    await page.getByRole('button', { name: 'Iterations' }).click()
    await page.waitForURL((url) => url.searchParams.get('kind') === 'learning')
    expect(await points.count()).toBeLessThan(iterations)
    expect(complaints).toEqual([])
  })

  it('is a list beside it, for whoever sees no picture', async () => {
    const { page } = await openPage(story().at('/map'))
    const rows = page.getByRole('list', { name: 'Memories in sight' }).locator('.row')
    await rows.first().waitFor()
    await page.keyboard.press('j')
    const href = await page.locator('.row:focus').getAttribute('href')
    expect(href).toMatch(/^\/(features|knowledge|conversations)/)
  })

  it('shows a new memory of another process, leaves the others where they are, and is made anew on demand', async () => {
    const { ralph, project, at, another } = await dashboardWorld()
    const { page, complaints } = await openPage(at('/map'))
    await page.getByText('Nothing is remembered yet').waitFor()
    for (const summary of [ATTACK, 'Invoices come out as PDF', 'The session cookie was lost'])
      await ralph.featureMemory.recordIteration(newIteration({ summary }))
    const points = page.locator('.map-picture .map-point')
    await points.nth(2).waitFor()
    const kept = () =>
      JSON.parse(readFileSync(join(project, '.ralph', 'cache', 'memory-map.json'), 'utf8'))
        .positions as object
    const before = kept()
    const other = await another()
    await other.featureMemory.recordIteration(newIteration({ summary: 'Another cookie of the session' }))
    await points.nth(3).waitFor()
    expect(kept()).toMatchObject(before)
    expect(Object.keys(kept())).toHaveLength(4)
    await page.getByRole('button', { name: 'Arrange anew' }).click()
    await expect
      .poll(() => Object.entries(kept()).every(([id, at]) => String(before[id as never]) === String(at)))
      .toBe(false)
    await page.getByRole('list', { name: 'Memories in sight' }).getByText('<img src=x').waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('changes nothing where one may only look', async () => {
    const { ralph, at } = await dashboardWorld({ readOnly: true })
    await ralph.featureMemory.recordIteration(newIteration())
    const { page } = await openPage(at('/map'))
    await page.locator('.map-picture .map-point').first().waitFor()
    expect(await page.getByRole('button', { name: 'Arrange anew' }).count()).toBe(0)
  })
})
