import { describe, expect, it } from 'vitest'
import { Notices } from '../../src/notices.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { openKnowledge, STORAGES } from './setup.ts'

const request = {
  project: 'shop',
  feature: 'checkout',
  taskId: 7,
  taskTitle: 'Pay by card',
  gateType: 'design',
  technology: 'react',
  approach: 'a modal with three steps',
  change: 'diff --git a/pay.tsx b/pay.tsx',
}

describe.each(STORAGES)('gates on %s', (_name, makeTarget) => {
  const open = () => openKnowledge(makeTarget)

  it('keep work waiting for a person, the longest first, each project for itself', async () => {
    const { knowledge, clock } = await open()
    const first = await knowledge.gates.request(request)
    clock.now += 1_000
    await knowledge.gates.request({ ...request, project: 'bank' })
    clock.now += 1_000
    await knowledge.gates.request({ ...request, taskId: '8' })
    expect(first).toMatchObject({ state: 'waiting', attempt: 1, taskId: '7', change: request.change })
    expect((await knowledge.gates.waiting()).map(({ project, taskId }) => [project, taskId])).toEqual([
      ['shop', '7'],
      ['bank', '7'],
      ['shop', '8'],
    ])
    expect(await knowledge.gates.waiting({ project: 'bank' })).toHaveLength(1)
    expect(await knowledge.gates.show(first.id.slice(0, 10))).toEqual(first)
    expect(await knowledge.statistics()).toMatchObject({ gatesWaiting: 3 })
  })

  it('are meant by a short id in the project that asks, whatever others have', async () => {
    const { storage, index, embedder } = await open()
    const notices = new Notices(() => undefined)
    const parts = { storage, index, embedder: async () => embedder, notices }
    const [shop, bank] = ['shop', 'bank'].map(
      (key) => new ProjectKnowledge({ ...parts, project: { path: '/workspace', key, formerly: [] } }),
    ) as [ProjectKnowledge, ProjectKnowledge]
    for (const [at, knowledge] of [shop, bank].entries()) {
      const { id } = await knowledge.gates.request({ ...request, project: '/workspace' })
      const alike = `abcd0000-0000-4000-8000-00000000000${at}`
      await storage.db.updateTable('gates').set({ id: alike }).where('id', '=', id).execute()
    }
    expect(await shop.gates.show('abcd')).toMatchObject({ projectId: 'shop' })
    expect(await bank.gates.show('abcd')).toMatchObject({ projectId: 'bank' })
  })

  it('let a task that still waits replace what it handed in', async () => {
    const { knowledge } = await open()
    const first = await knowledge.gates.request(request)
    const second = await knowledge.gates.request({ ...request, approach: 'one page' })
    expect(second).toMatchObject({ id: first.id, attempt: 1, approach: 'one page' })
    expect(await knowledge.gates.waiting()).toHaveLength(1)
  })

  it('turn a first-attempt approval into the gold standard', async () => {
    const { knowledge } = await open()
    const { id } = await knowledge.gates.request(request)
    const { gate, captured } = await knowledge.gates.approve(id, { by: 'Ann' })
    expect(gate).toMatchObject({ state: 'approved', decidedBy: 'Ann' })
    expect(await knowledge.show(captured[0]!)).toMatchObject({
      state: 'staged',
      entry: {
        kind: 'gate_approval',
        gateType: 'design',
        technology: 'react',
        taskTitle: 'Pay by card',
        approvedApproach: 'a modal with three steps',
      },
    })
  })

  it('turn a rejection into knowledge at once, and complete it when the revision is approved', async () => {
    const { knowledge } = await open()
    const first = await knowledge.gates.request(request)
    const rejected = await knowledge.gates.reject(first.id, {
      feedback: 'three steps are too many',
      by: 'Ann',
    })
    expect(await knowledge.show(rejected.captured[0]!)).toMatchObject({
      entry: { kind: 'gate_rejection', humanFeedback: 'three steps are too many', revisionApproach: '' },
    })
    const second = await knowledge.gates.request({ ...request, approach: 'one page without steps' })
    expect(second).toMatchObject({ attempt: 2 })
    expect(second.id).not.toBe(first.id)
    const approved = await knowledge.gates.approve(second.id)
    expect(approved.captured).toEqual(rejected.captured)
    expect(await knowledge.show(rejected.captured[0]!)).toMatchObject({
      state: 'staged',
      entry: { revisionApproach: 'one page without steps' },
    })
    // A later approval is no gold standard.
    expect((await knowledge.staged()).entries.map(({ kind }) => kind)).toEqual(['gate_rejection'])
  })

  it('complete a rejection that is already embedded: shown at once, found by its new words after a checkpoint', async () => {
    const { knowledge } = await open()
    const first = await knowledge.gates.request(request)
    await knowledge.gates.reject(first.id, { feedback: 'three steps are too many' })
    await knowledge.checkpoint('manual')
    const second = await knowledge.gates.request({ ...request, approach: 'saffron wallpaper everywhere' })
    await knowledge.gates.approve(second.id)
    const byFeedback = { description: 'design gate rejected three steps are too many' }
    expect(await knowledge.queryForTask(byFeedback)).toMatchObject([
      { solution: 'saffron wallpaper everywhere' },
    ])
    const byRevision = { description: 'saffron wallpaper everywhere' }
    expect(await knowledge.queryForTask(byRevision, { minScore: 0.3 })).toEqual([])
    expect(await knowledge.checkpoint('manual')).toMatchObject({ embedded: 0, reembedded: 1 })
    expect(await knowledge.queryForTask(byRevision, { minScore: 0.3 })).toHaveLength(1)
    expect(await knowledge.checkpoint('manual')).toMatchObject({ reembedded: 0 })
  })

  it('hand the feedback to the next prompt of the task, until an approval has met it', async () => {
    const { knowledge, clock } = await open()
    for (const feedback of ['too many steps', 'still too many']) {
      const { id } = await knowledge.gates.request(request)
      await knowledge.gates.reject(id, { feedback })
      clock.now += 1_000
    }
    const feedback = async () =>
      (await knowledge.gates.feedbackFor({ project: 'shop', taskId: 7 })).map((gate) => gate.feedback)
    expect(await feedback()).toEqual(['too many steps', 'still too many'])
    expect(await knowledge.gates.feedbackFor({ project: 'bank', taskId: 7 })).toEqual([])
    const { id } = await knowledge.gates.request(request)
    await knowledge.gates.approve(id)
    expect(await feedback()).toEqual([])
  })

  it('are decided once: the second person learns who was first', async () => {
    const opened = await open()
    const other = await opened.again()
    const { id } = await opened.knowledge.gates.request(request)
    const decisions = await Promise.allSettled([
      opened.knowledge.gates.approve(id, { by: 'Ann' }),
      other.knowledge.gates.reject(id, { feedback: 'no', by: 'Bob' }),
    ])
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const lost = decisions.find((decision) => decision.status === 'rejected')
    expect(lost?.reason).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /already (approved by .* \(said to be Ann\)|rejected by .* \(said to be Bob\)), through the library/,
      ),
    })
    expect((await opened.knowledge.staged()).entries).toHaveLength(1)
  })

  it('refuse what is missing, and ids that do not exist', async () => {
    const { knowledge } = await open()
    const { id } = await knowledge.gates.request(request)
    await expect(knowledge.gates.reject(id, { feedback: ' \u200b ' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('needs feedback'),
    })
    await expect(knowledge.gates.request({ ...request, gateType: '' })).rejects.toMatchObject({
      message: expect.stringContaining('gate_type'),
    })
    for (const wrong of ['', '%', 'zzzz', '00000000-0000-4000-8000-000000000000']) {
      await expect(knowledge.gates.approve(wrong)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await knowledge.gates.waiting()).toHaveLength(1)
  })
})
