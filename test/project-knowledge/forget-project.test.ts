import { expect, it } from 'vitest'
import { Notices } from '../../src/notices.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { sqliteTarget } from '../storage/targets.ts'
import { failure, failures, openKnowledge } from './setup.ts'

it('forgets what one project has taught, and leaves to others what they have met too', async () => {
  const opened = await openKnowledge(sqliteTarget)
  const { storage, index, embedder, clock } = opened
  const project = { path: '/home/dev/shop', key: 'shop-id', formerly: [] }
  const here = new ProjectKnowledge({
    storage,
    index,
    embedder: async () => embedder,
    notices: new Notices(() => undefined),
    clock: () => clock.now,
    project,
  })
  await here.capture({ ...failure(), project: project.path })
  await here.capture({ ...failures(1)[0]!, project: project.path })
  await here.capture({ ...failure(), project: 'blog' })
  await here.checkpoint('manual')
  await here.capture({ ...failures(2)[1]!, project: project.path })
  const gate = {
    project: project.path,
    taskId: 1,
    taskTitle: 'Log in',
    gateType: 'review',
    approach: 'as told',
  }
  await here.gates.request(gate)
  await here.gates.request({ ...gate, project: 'blog' })

  expect(await here.forgetProject()).toEqual({ entries: 2, gates: 1 })
  const left = (await here.list()).entries
  expect(left).toMatchObject([{ projectId: 'blog', failureDescription: failure().failureDescription }])
  expect(await here.statistics()).toMatchObject({ entries: 1, staged: { waiting: 0 } })
  expect((await here.gates.waiting()).map(({ projectId }) => projectId)).toEqual(['blog'])
  expect(await here.queryForTask({ description: failures(1)[0]!.failureDescription })).toEqual([])
})
