import { describe, expect, it } from 'vitest'
import { promoted } from '../../src/project-knowledge/promotion.ts'
import { DAY, openKnowledge, STORAGES } from './setup.ts'

/** What the whole is for: each is one promise, from the first project's trouble to the second project's prompt. */
describe.each(STORAGES)('from one project to the next, on %s', (_name, makeTarget) => {
  const TASK = {
    title: 'Sign in keeps the session',
    description: 'the sign in test fails because the session cookie is missing after redirect',
    technology: 'react',
  }

  it('a failure solved in project 1 reaches the prompt of a similar task in project 2', async () => {
    const one = await openKnowledge(makeTarget)
    const lesson = promoted(
      {
        project: 'project 1',
        feature: 'accounts',
        taskId: 3,
        title: 'sign in test fails, session cookie missing after redirect',
        technology: 'react',
      },
      {
        id: 'e1',
        message: 'expected session cookie to be set',
        solvedBy: {
          iteration: 2,
          summary: 'Set sameSite to lax so that the cookie survives the redirect',
          decisions: ['keep the cookie first-party'],
          files: ['session.ts'],
        },
      },
    )
    await one.knowledge.capture(lesson.entry, lesson.options)
    expect(await one.knowledge.contextFor(TASK)).toBeUndefined()
    await one.knowledge.checkpoint('feature_complete', { project: 'project 1' })

    const two = await one.again()
    const context = await two.knowledge.contextWithSources(TASK)
    expect(context?.text).toMatch(/^\[ORCHESTRATOR CONTEXT: Historical Knowledge\]/)
    expect(context?.text).toContain('Solution: "Set sameSite to lax so that the cookie survives the redirect')
    expect(context?.patterns[0]?.entries).toMatchObject([{ project: 'project 1' }])
  })

  it("a rejection's feedback reaches the next similar gate", async () => {
    const one = await openKnowledge(makeTarget)
    const gate = await one.knowledge.gates.request({
      project: 'project 1',
      taskId: 1,
      taskTitle: 'sign in form',
      gateType: 'security review',
      approach: 'session cookie without flags',
    })
    await one.knowledge.gates.reject(gate.id, {
      feedback: 'the session cookie of sign in must be httpOnly and secure',
    })
    await one.knowledge.checkpoint('manual')
    const two = await one.again()
    const text = await two.knowledge.contextFor({
      description: 'security review gate: the session cookie of sign in',
    })
    expect(text).toContain(
      'Rejected at the security review gate: the session cookie of sign in must be httpOnly and secure',
    )
    expect(text).toContain('When to try: "before asking for the security review gate')
  })

  it('a first-attempt approval is offered as the gold standard', async () => {
    const one = await openKnowledge(makeTarget)
    const gate = await one.knowledge.gates.request({
      project: 'project 1',
      taskId: 1,
      taskTitle: 'data model of the orders table',
      gateType: 'schema review',
      approach: 'orders table with one row per line item and a check constraint',
    })
    await one.knowledge.gates.approve(gate.id)
    await one.knowledge.checkpoint('project_complete')
    const two = await one.again()
    const text = await two.knowledge.contextFor({
      description: 'schema review of the data model of the orders table',
    })
    expect(text).toContain('orders table with one row per line item and a check constraint')
    expect(text).toContain('this was approved at the first attempt')
  })

  it('an entry a year and a day old is gone', async () => {
    const one = await openKnowledge(makeTarget)
    const { id } = await one.knowledge.capture({
      kind: 'failure_solution',
      project: 'project 1',
      failureDescription: TASK.description,
      solutionSteps: 'set sameSite to lax',
    })
    await one.knowledge.checkpoint('manual')
    expect(await one.knowledge.contextFor(TASK)).toBeDefined()
    one.clock.now += 366 * DAY
    const two = await one.again()
    expect(await two.knowledge.contextFor(TASK)).toBeUndefined()
    await expect(two.knowledge.show(id)).rejects.toMatchObject({ code: 'not_found' })
    expect(await two.knowledge.prune()).toBe(1)
    expect(await one.storage.db.selectFrom('knowledge_entries').selectAll().execute()).toEqual([])
  })
})
