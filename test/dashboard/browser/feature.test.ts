import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld, storyWorld } from '../../support/dashboard.ts'
import { newIteration } from '../../support/records.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script>\u202egnp.exe'
const browser = noBrowser ? ` (${noBrowser})` : ''

const yamlOf = ({ project }: DashboardWorld) => readFileSync(join(project, '.ralph/db/features.yaml'), 'utf8')
const learned = async ({ ralph }: DashboardWorld, text: string) =>
  ralph.learnings.append('cart', { text, reason: 'seen in a test', source: 'agent' })
const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Learnings' }).getByRole('listitem').filter({ hasText: text })

describe.skipIf(noBrowser)(`a feature of the story${browser}`, () => {
  const world = storyWorld()

  it('tells what was done, with filters that stand in the address', async () => {
    const { page, complaints, elsewhere } = await openPage(world().at('/features/checkout'))
    await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor()
    await page.getByRole('figure', { name: 'Outcomes over iterations' }).waitFor()
    await page.getByRole('figure', { name: 'Cost and tokens' }).waitFor()
    const rows = page.getByRole('list', { name: 'Iterations' }).getByRole('link')
    await rows.first().waitFor()
    const all = await rows.count()
    await page.getByRole('button', { name: 'timeout' }).click()
    await page.getByText(/^2 of \d+ iterations$/).waitFor()
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('timeout')
    expect(await rows.count()).toBe(2)
    await page.goBack()
    await page.getByRole('figure', { name: 'Cost and tokens' }).waitFor()
    expect(await rows.count()).toBe(all)
    expect([complaints, elsewhere]).toEqual([[], []])
  })

  it('is walked through by the keyboard, from the timeline into an iteration and on', async () => {
    const { page } = await openPage(world().at('/features/checkout'))
    await page.getByRole('list', { name: 'Iterations' }).getByRole('link').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { level: 1 })
    await page.getByRole('heading', { level: 1, name: /^Iteration 37/ }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('heading', { level: 1, name: /^Iteration 36/ }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { level: 1, name: /^Iteration 37/ }).waitFor()
    expect(await heading.count()).toBe(1)
  })

  it('tells the lives of its errors, one of them alone when asked', async () => {
    const { page, complaints } = await openPage(world().at('/features/checkout?tab=errors'))
    await page.getByRole('figure', { name: 'Life lines of errors' }).waitFor()
    const list = page.getByRole('list', { name: 'Errors' })
    await list.getByText('reported by').first().waitFor()
    const many = await list.getByRole('listitem').count()
    expect(many).toBeGreaterThan(3)
    await page.getByRole('button', { name: 'solved' }).click()
    await page.waitForURL(/life=solved/)
    await page
      .getByRole('figure')
      .getByRole('link', { name: /RangeError/ })
      .click()
    await page.waitForURL(/error=/)
    await page.getByRole('button', { name: /only error/ }).waitFor()
    expect(await list.getByText('no longer reported it in iteration').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })

  it('tells its files, and which iterations touched one', async () => {
    const { page, complaints } = await openPage(world().at('/features/checkout?tab=files'))
    await page.getByRole('figure', { name: 'Files over iterations' }).waitFor()
    await page.getByLabel('Named').fill('discount')
    await page.getByLabel('Named').press('Enter')
    await page.getByText(/^\d+ of \d+ files/).waitFor()
    await page.getByRole('table').getByRole('link', { name: 'src/discount/apply.ts' }).click()
    await page.getByText(/^\d+ of \d+ iterations$/).waitFor()
    await page.getByRole('button', { name: 'Show not only src/discount/apply.ts' }).click()
    await page.getByRole('figure', { name: 'Cost and tokens' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('tells its tasks, each with the work on it', async () => {
    const { page } = await openPage(world().at('/features/checkout?tab=tasks'))
    await page.getByRole('link', { name: /Discount codes/ }).click()
    await page.waitForURL(/task=\d+/)
    await page.getByText(/^\d+ of \d+ iterations$/).waitFor()
  })
})

describe.skipIf(noBrowser)(`learnings on the page${browser}`, () => {
  it('are approved, edited and deleted by the keyboard, and that is in features.yaml', async () => {
    const world = await dashboardWorld()
    await learned(world, 'Totals are kept in cents')
    await learned(world, 'The form posts to /session')
    await learned(world, 'Prices come from suppliers')
    const { page, complaints } = await openPage(world.at('/features/cart?tab=learnings'))
    await page.getByText('3 of 3 not reviewed').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await page.getByText('2 of 3 not reviewed').waitFor()
    expect(yamlOf(world)).toContain('how: page')
    expect((await world.ralph.learnings.list('cart')).filter(({ reviewed }) => reviewed)).toHaveLength(1)

    // The focus stays in the list, so the next key is meant for the row that is there now.
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    const words = page.getByRole('textbox', { name: 'What it says' })
    await words.waitFor()
    await words.fill('Put into words by a person')
    await page.keyboard.press('Control+Enter')
    await row(page, 'Put into words by a person').getByText('put into other words by').waitFor()
    expect(yamlOf(world)).toContain('text: Put into words by a person')
    expect(yamlOf(world)).toContain('formerly: agent')

    const before = (await world.ralph.learnings.list('cart')).length
    await row(page, 'Put into words by a person').locator('.row').focus()
    await page.keyboard.press('x')
    await page.getByText('Delete it for good?').waitFor()
    await page.keyboard.press('Enter')
    await row(page, 'Put into words by a person').waitFor({ state: 'detached' })
    expect(yamlOf(world)).not.toContain('Put into words by a person')
    expect(await world.ralph.learnings.list('cart')).toHaveLength(before - 1)
    expect(complaints).toEqual([])
  })

  it('that contradict each other are settled side by side', async () => {
    const world = await dashboardWorld()
    await learned(world, 'Always call resetDatabase before the tests of the cart')
    await learned(world, 'Never call resetDatabase before the tests of the cart')
    const { page, complaints } = await openPage(world.at('/features/cart?tab=learnings'))
    const contradictions = page.getByRole('list', { name: 'Contradictions' })
    await contradictions.getByText('Always call').waitFor()
    await contradictions.getByText('Never call').waitFor()
    const first = await contradictions.locator('.words').first().textContent()
    await page.keyboard.press('j')
    await page.keyboard.press('1')
    await page.getByText('Delete the other one?').waitFor()
    await page.keyboard.press('Enter')
    await contradictions.waitFor({ state: 'detached' })
    const left = await world.ralph.learnings.list('cart')
    expect(left).toMatchObject([{ text: first, reviewed: true, conflictsWith: [] }])
    expect(yamlOf(world)).toContain(first!)
    expect(complaints).toEqual([])
  })

  it('may both stand', async () => {
    const world = await dashboardWorld()
    await learned(world, 'Always call resetDatabase before the tests of the cart')
    await learned(world, 'Never call resetDatabase before the tests of the cart')
    const { page } = await openPage(world.at('/features/cart?tab=learnings'))
    await page.getByRole('button', { name: 'Both stand' }).click()
    await page.getByRole('list', { name: 'Contradictions' }).waitFor({ state: 'detached' })
    expect(await world.ralph.learnings.list('cart')).toHaveLength(2)
    expect(yamlOf(world)).not.toContain('conflicts_with')
  })

  it('say why an edit is refused, and keep what was typed', async () => {
    const world = await dashboardWorld()
    await learned(world, 'Totals are kept in cents')
    await learned(world, 'Prices come from suppliers')
    const { page } = await openPage(world.at('/features/cart?tab=learnings'))
    await row(page, 'Prices come').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'What it says' }).fill('Totals are kept in cents')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('says that already').waitFor()
    expect(await page.getByRole('textbox', { name: 'What it says' }).inputValue()).toBe(
      'Totals are kept in cents',
    )
    await page.keyboard.press('Escape')
    await row(page, 'Prices come').waitFor()
  })

  it('follow what another process does, and offer nothing where one may only look', async () => {
    const world = await dashboardWorld({ readOnly: true })
    await learned(world, 'Totals are kept in cents')
    const { page } = await openPage(world.at('/features/cart?tab=learnings'))
    await row(page, 'Totals are kept').waitFor()
    expect(await page.getByRole('button', { name: /Approve|Edit|Delete/ }).count()).toBe(0)
    const other = await world.another()
    await other.learnings.append('cart', { text: 'Said elsewhere', reason: 'now', source: 'human' })
    await row(page, 'Said elsewhere').waitFor()
  })
})

describe.skipIf(noBrowser)(`a feature with anything in it${browser}`, () => {
  it('teaches the next step where there is nothing', async () => {
    const world = await dashboardWorld()
    await world.ralph.board.addFeature({ name: 'cart' })
    const { page } = await openPage(world.at('/features/cart'))
    await page.getByText('ralph loop').waitFor()
    for (const [tab, words] of [
      ['Errors', 'No errors met so far'],
      ['Files', 'No files touched yet'],
      ['Learnings', 'ralph learnings add'],
      ['Tasks', 'ralph task add'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByText(words).waitFor()
    }
    await page.goto(world.at('/features/nobody'))
    await page.getByRole('alert').getByText('there is no feature "nobody"').waitFor()
  })

  it('shows attacks as text, in every field', async () => {
    const world = await dashboardWorld()
    const feature = 'pay/<b>now</b>?x#y'
    const { ralph } = world
    await ralph.board.addFeature({ name: feature, displayName: ATTACK, description: ATTACK })
    const { id } = await ralph.board.addTask({ feature, title: ATTACK })
    await ralph.featureMemory.recordIteration(
      newIteration({
        ...{ feature, taskId: id, taskTitle: ATTACK, summary: ATTACK },
        errors: [{ message: ATTACK, filePath: ATTACK, command: ATTACK }],
        decisions: [{ description: ATTACK, rationale: ATTACK }],
        filesTouched: [{ path: 'src/<img src=x>.ts', action: 'modified' }],
        checks: [{ command: ATTACK, kind: 'test', result: 'failed', signatures: [ATTACK] }],
      }),
    )
    await ralph.learnings.append(feature, { text: ATTACK, reason: ATTACK, source: 'agent' })
    const address = `/features/${encodeURIComponent(feature)}`
    const { page, complaints, elsewhere } = await openPage(world.at(address))
    for (const [at, words] of [
      ['', 'iteration'],
      ['?tab=errors', 'reported by'],
      ['?tab=files', 'most touched first'],
      ['?tab=learnings', 'not reviewed'],
      ['?tab=tasks', 'failure'],
      ['/iterations/1', 'What it left'],
    ] as const) {
      await page.goto(world.at(`${address}${at}`))
      await page.getByText(words).first().waitFor()
      await page.getByText('<img src=x').first().waitFor()
      expect(await page.locator('main img, main script').count(), at).toBe(0)
    }
    expect([complaints, elsewhere]).toEqual([[], []])
  })

  it('tells what its journal holds while the board cannot be read', async () => {
    const world = await dashboardWorld()
    await world.ralph.featureMemory.recordIteration(newIteration({ feature: 'cart', summary: 'Still here.' }))
    writeFileSync(join(world.project, '.ralph/db/features.yaml'), 'features: [unclosed')
    const { page } = await openPage(world.at('/features/cart'))
    await page.getByRole('alert').getByText('features.yaml').first().waitFor()
    await page.getByText('Still here.').waitFor()
  })

  it('goes on, and says so, when its journal is damaged while it is open', async () => {
    const world = await dashboardWorld()
    await world.ralph.featureMemory.recordIteration(newIteration({ feature: 'cart', summary: 'Still here.' }))
    const { page, complaints } = await openPage(world.at('/features/cart'))
    await page.getByText('Still here.').waitFor()
    appendFileSync(world.ralph.featureMemory.journal('cart').path, 'garbage\n')
    await page.getByText('1 damaged line in the journal').waitFor()
    await page.getByText('Still here.').waitFor()
    expect(complaints).toEqual([])
  })
})
