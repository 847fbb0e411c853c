import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld, storyWorld } from '../../support/dashboard.ts'
import { newIteration } from '../../support/records.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(2)</script>\u202Egnp.exe'

describe.skipIf(noBrowser)('the overview of a story', () => {
  const world = storyWorld()

  it('tells what was done, what waits, and what memory told', async () => {
    const { page, complaints } = await openPage(world().at('/'))
    const { tasks, features, outcomes } = await world().ralph.overview.work()
    await page.getByText(`${tasks.done} of ${tasks.done + tasks.open}`).waitFor()
    const waiting = page.getByRole('list', { name: 'Waits for you' })
    await waiting.getByText('waits at the gate review').waitFor()
    await waiting.getByText('contradicts 1 other learning').waitFor()
    const strip = `The last ${features[0]!.outcomes.length} iterations: ${outcomes.success} success`
    await page.getByRole('img', { name: strip }).waitFor()
    await page.getByRole('figure', { name: 'Activity per day' }).waitFor()
    await page.getByText('pieces of memory told').waitFor()
    expect(complaints).toEqual([])
  })

  it('leads by keyboard alone to what waits', async () => {
    const { page } = await openPage(world().at('/'))
    await page.getByText('waits at the gate review').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/gates/'))
  })

  it('says in words whether memory can be searched', async () => {
    const { page } = await openPage(world().at('/'))
    const badge = page.getByRole('button', { name: 'RAG active' })
    await badge.press('Enter')
    await page.getByText('Memory is searched by meaning and by words.').waitFor()
    await page.getByRole('link', { name: 'Look closer: doctor' }).click()
    await page.waitForURL((url) => url.pathname === '/doctor')
  })
})

describe.skipIf(noBrowser)('the overview', () => {
  it('of a project without anything teaches what to do', async () => {
    const { at } = await dashboardWorld()
    const { page, complaints } = await openPage(at('/'))
    await page.getByText('ralph feature add NAME').waitFor()
    await page.getByText('Nothing: no gate').waitFor()
    await page.getByText('ralph hooks install').waitFor()
    expect(complaints).toEqual([])
  })

  it('follows what another process does', async () => {
    const { at, another } = await dashboardWorld()
    const { page } = await openPage(at('/'))
    await page.getByText('ralph feature add NAME').waitFor()
    const other = await another()
    await other.featureMemory.recordIteration(newIteration({ feature: 'cart', outcome: 'success' }))
    await page.getByRole('link', { name: /cart/ }).waitFor()
    await other.board.addFeature({ name: 'cart', displayName: 'The cart' })
    await page.getByRole('link', { name: /The cart/ }).waitFor()
  })

  it('shows text of others as text, and goes on where a part is out of order', async () => {
    const { at, ralph } = await dashboardWorld()
    await ralph.board.addFeature({ name: ATTACK.replace('\u202E', ''), displayName: ATTACK })
    const learning = { text: ATTACK, reason: ATTACK, source: 'agent' as const }
    await ralph.learnings.append(ATTACK.replace('\u202E', ''), learning)
    const request = { project: ralph.config.project, gateType: ATTACK, taskTitle: ATTACK, taskId: ATTACK }
    await ralph.knowledge.gates.request({ ...request, approach: ATTACK })
    mkdirSync(join(ralph.config.paths.memory, 'odd.jsonl'), { recursive: true })
    const { page, complaints } = await openPage(at('/'))
    await page.getByRole('list', { name: 'Waits for you' }).getByText('<img src=x').first().waitFor()
    await page.getByText('cannot be read').waitFor()
    await page.getByTitle('an invisible character, U+202E').first().waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    writeFileSync(join(ralph.config.paths.database, 'tasks.yaml'), 'tasks: [')
    await page.getByText('The board cannot be read').waitFor()
    expect(complaints).toEqual([])
  })
})
