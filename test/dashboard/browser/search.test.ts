import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toJournalLine } from '../../../src/feature-memory/record.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld, storyWorld } from '../../support/dashboard.ts'
import { iteration, newIteration } from '../../support/records.ts'

const ATTACK =
  '<img src=x onerror=alert(1)><script>alert(2)</script> cookie\u202Eeikooc [a](javascript:alert(3))'

describe.skipIf(noBrowser)(`the search${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const story = storyWorld()

  it('is reached by one key, finds everything, and opens what it found, by keyboard alone', async () => {
    const { page, complaints } = await openPage(story().at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.waitForURL((url) => url.pathname === '/search')
    await page.getByText('Say in your own words').waitFor()
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('retry after a timeout')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('q') === 'retry after a timeout')
    const rows = page.getByRole('list', { name: 'What was found, the best first' }).locator('.row')
    await rows.first().waitFor()
    expect(await rows.first().locator('mark').count()).toBeGreaterThan(0)
    expect(await rows.first().innerText()).toMatch(/score [01]\.\d\d\s+by (meaning|words)/)
    const kinds = await rows.locator('header strong').allInnerTexts()
    expect(kinds).toEqual(
      expect.arrayContaining(['project knowledge', expect.stringMatching(/iteration \d+$/)]),
    )
    await page.keyboard.press('j')
    const href = await page.locator('.row:focus').getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname + url.search === href)
    await page.goBack()
    await rows.first().waitFor()
    expect(complaints).toEqual([])
  })

  it('keeps its filters in the address, from which it can be opened', async () => {
    const { page, complaints } = await openPage(story().at('/search?q=retry+after+a+timeout'))
    const rows = page.getByRole('list', { name: 'What was found, the best first' }).locator('.row')
    await rows.first().waitFor()
    await page.getByRole('button', { name: 'Iterations' }).click()
    await page.getByLabel('Outcome').selectOption('failure')
    await page.waitForURL((url) => url.searchParams.get('outcome') === 'failure')
    await rows.first().getByText('failure').waitFor()
    const address = page.url()
    expect(new URL(address).searchParams.get('kind')).toBe('iteration')
    await page.reload()
    await rows.first().getByText('failure').waitFor()
    expect(await page.getByLabel('Outcome').inputValue()).toBe('failure')
    await page.getByRole('button', { name: 'Iterations', pressed: true }).waitFor()
    expect(await rows.getByText('success').count()).toBe(0)
    await page.getByRole('button', { name: 'No filters' }).click()
    await page.getByText('project knowledge').first().waitFor()
    expect(new URL(page.url()).search).toBe('?q=retry+after+a+timeout')
    expect(complaints).toEqual([])
  })

  it('says when nothing matches, and what is wrong with an address', async () => {
    const { page } = await openPage(story().at('/search?q=zebra&kind=learning'))
    await page.getByText('Nothing in memory matches with these filters').waitFor()
    await page.goto(story().at('/search?q=zebra&since=soon'))
    await page.getByRole('alert').getByText('"soon" is no day').waitFor()
    await page.goto(story().at('/search?q=zebra&kind=secrets'))
    await page.getByRole('alert').getByText('kind').waitFor()
    await page.goto(story().at('/search?q=zebra&feature=nowhere'))
    await page.getByRole('alert').getByText('there is no feature "nowhere"').waitFor()
  })

  it('shows attacks as the text they are, and more when asked', async () => {
    const { ralph, at, project } = await dashboardWorld()
    for (let number = 0; number < 25; number++)
      await ralph.featureMemory.recordIteration(
        newIteration({
          summary: `${ATTACK} number ${'abcdefghijklmnopqrstuvwxyz'[number]}`,
          taskTitle: ATTACK,
        }),
      )
    // As an agent would write it, past everything that cleans.
    const journal = join(project, '.ralph', 'db', 'memory', 'authentication.jsonl')
    appendFileSync(
      journal,
      `${toJournalLine(iteration({ iterationNumber: 26, summary: `zebra ${ATTACK}` }))}\n`,
    )
    await ralph.conversations.record({
      conversationId: ATTACK,
      userMessage: ATTACK,
      assistantMessage: ATTACK,
    })
    const { page, complaints, elsewhere } = await openPage(at('/search?q=cookie'))
    const rows = page.getByRole('list', { name: 'What was found, the best first' }).locator('.row')
    await rows.first().waitFor()
    expect(await rows.first().innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0)
    expect(await rows.count()).toBe(20)
    await page.getByRole('button', { name: 'More' }).click()
    await rows.nth(20).waitFor()
    await page.goto(at('/search?q=zebra'))
    await rows.first().getByText('U+202E').first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect([...complaints, ...elsewhere]).toEqual([])
  })

  it('finds what another process records while the page is open', async () => {
    const { at, another } = await dashboardWorld()
    const { page } = await openPage(at('/search?q=unmistakable'))
    await page.getByText('Nothing found').waitFor()
    const other = await another()
    await other.featureMemory.recordIteration(newIteration({ summary: 'An unmistakable thing happened' }))
    await page.locator('mark', { hasText: 'unmistakable' }).waitFor()
  })
})
