import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tellStory } from '../../src/demo/tell-story.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('leaves something of every kind to look at, none of it in the future', async () => {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  const ralph = await openRalph({ project, home: join(folder, 'home'), env: {}, onNotice: () => undefined })
  try {
    const now = new Date()
    await tellStory(ralph, now)

    const records = await ralph.featureMemory.recent('checkout', 100)
    expect(new Set(records.map(({ outcome }) => outcome)).size).toBe(5)
    expect(records.filter(({ timestamp }) => Date.parse(timestamp) > now.getTime())).toEqual([])
    const times = records.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted().reverse())

    const lives = (await ralph.featureMemory.errors('checkout')).map(({ life }) => life)
    expect(lives).toEqual(expect.arrayContaining(['open', 'solved', 'came_back']))

    const learnings = await ralph.learnings.list('checkout')
    expect(learnings.filter(({ conflictsWith }) => conflictsWith.length > 0)).toHaveLength(2)
    expect(learnings.filter(({ reviewed }) => !reviewed).length).toBeGreaterThanOrEqual(3)

    const knowledge = await ralph.openKnowledge()
    expect(await knowledge.gates.waiting()).toHaveLength(2)
    const { byKind, staged } = await knowledge.statistics()
    expect(Object.values(byKind).every((count) => count > 0)).toBe(true)
    expect(staged.unverified).toBe(1)

    const { conversations } = await (await ralph.openConversations()).list()
    expect(conversations.length).toBeGreaterThan(3)
  } finally {
    await ralph.close()
  }
})
