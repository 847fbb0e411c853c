import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)><script>alert(1)</script>'

const capture = ({ ralph, project }: DashboardWorld, more: object = {}) =>
  ralph.knowledge.capture({
    ...{ kind: 'failure_solution', project, technology: 'postgres' },
    ...{ failureDescription: 'The migration times out on the orders table' },
    ...{ errorMessage: 'statement timeout', solutionSteps: 'Create the index concurrently' },
    ...more,
  })

describe.skipIf(noBrowser)(`knowledge on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is verified, made findable by a checkpoint, and told for a question', async () => {
    const world = await dashboardWorld()
    const { knowledge } = world.ralph
    const { id } = await capture(world, { successVerified: false })
    const { page, complaints } = await openPage(world.at('/knowledge?tab=staged'))
    await page.getByText('waits to be verified').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'solved failure' }).waitFor()
    await page.keyboard.press('v')
    await page.getByText('waits for a checkpoint').waitFor()
    expect(await knowledge.show(id)).toMatchObject({ state: 'staged', entry: { verified: true } })

    await page.getByRole('link', { name: 'Staged' }).click()
    await page.getByRole('button', { name: 'Run a checkpoint' }).click()
    await page.getByText('1 embedded').waitFor()
    await page.getByText('Nothing is staged').waitFor()
    expect(await knowledge.show(id)).toMatchObject({ state: 'embedded' })

    await page.getByRole('tab', { name: 'Patterns' }).click()
    await page.getByLabel('The task, or what went wrong').fill('the migration of the orders table times out')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Patterns' }).getByText('Create the index concurrently').waitFor()
    await page.getByText('would be told', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('question')).toBe(
      'the migration of the orders table times out',
    )
    expect(await page.locator('.told pre').innerText()).toContain('Create the index concurrently')
    await page.getByLabel('The task, or what went wrong').fill('paint the shed in another colour')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing similar enough is known').waitFor()
    expect(complaints).toEqual([])
  })

  it('is filtered by the address, and forgotten for good once that is confirmed', async () => {
    const world = await dashboardWorld()
    const { knowledge } = world.ralph
    const { id } = await capture(world)
    await capture(world, {
      ...{ project: '/elsewhere/bank', technology: 'react' },
      ...{ failureDescription: 'The form forgets what was typed', errorMessage: '' },
      ...{ solutionSteps: 'Keep it in state' },
    })
    await knowledge.checkpoint('manual')
    const { page, complaints } = await openPage(world.at('/knowledge?tab=entries'))
    const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(2)
    await page.getByLabel('of this project only').check()
    await expect.poll(() => entries.count()).toBe(1)
    await page.reload()
    await expect
      .poll(() => entries.allInnerTexts())
      .toEqual([expect.stringContaining('The migration times out')])
    await page.getByLabel('Kind').selectOption('rejected at a gate')
    await page.getByText('No such entry').waitFor()
    await page.goBack()
    await entries.first().click()
    await page.getByText('can be found').waitFor()
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('button', { name: 'No' }).click()
    expect(await knowledge.show(id)).toMatchObject({ state: 'embedded' })
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('The form forgets what was typed').waitFor()
    await expect(knowledge.show(id)).rejects.toMatchObject({ code: 'not_found' })
    expect(complaints).toEqual([])
  })

  it('shows every text as text, also of what somebody else captures meanwhile', async () => {
    const world = await dashboardWorld()
    const { page, complaints } = await openPage(world.at('/knowledge?tab=staged'))
    await page.getByText('Nothing is staged').waitFor()
    const other = await world.another()
    const { id } = await other.knowledge.capture({
      ...{ kind: 'gate_rejection', project: `/elsewhere/${ATTACK}`, gateType: ATTACK, taskTitle: ATTACK },
      ...{ humanFeedback: ATTACK, revisionApproach: ATTACK, taskDescription: ATTACK, technology: ATTACK },
    })
    await page.getByRole('list', { name: 'Staged entries' }).getByText(ATTACK).first().waitFor()
    await page.goto(world.at(`/knowledge/${id}`))
    for (const region of ['The task', 'What a person said', 'How it was revised', 'What the task was about'])
      expect(await page.getByRole('region', { name: region, exact: true }).innerText()).toContain(ATTACK)
    await other.knowledge.verify(id)
    await other.knowledge.checkpoint('manual')
    await page.goto(world.at(`/knowledge?${new URLSearchParams({ question: ATTACK, error: ATTACK })}`))
    await page.getByText('Nothing similar enough is known').waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('teaches where there is none, and cannot be changed where the page is to look only', async () => {
    const world = await dashboardWorld({ readOnly: true })
    const { page, complaints } = await openPage(world.at('/knowledge'))
    await page.getByText('Describe a task as an agent would get it').waitFor()
    const { id } = await capture(world, { successVerified: false })
    await page.goto(world.at(`/knowledge/${id}`))
    await page.getByText('Create the index concurrently').waitFor()
    await page.getByText('look only').waitFor()
    expect(await page.getByRole('button', { name: /Verify|Forget/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
