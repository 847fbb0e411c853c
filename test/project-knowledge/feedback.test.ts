import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import type { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { sqliteTarget } from '../storage/targets.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { openKnowledge } from './setup.ts'

interface WrittenTask {
  title: string
  description?: string
}

/** A task whose work a person sent back, and others by their distance from it. */
interface ReviewedTask extends WrittenTask {
  gateType: string
  /** What was handed in. */
  approach: string
  feedback: string
  /** The same need in somebody else's words. */
  similar: WrittenTask
  /** Another need that the feedback would serve as well. */
  related: WrittenTask
  /** The same corner of the product, other work: the feedback says nothing about it. */
  neighbour: WrittenTask
}

/** Written by hand, before anything was measured. */
const TASKS: { reviewed: ReviewedTask[]; others: ReviewedTask[]; unrelated: WrittenTask[] } = JSON.parse(
  readFileSync(new URL('reviewed-tasks.json', import.meta.url), 'utf8'),
)

/** With the real embedder: what people said at gates, graded over tasks that are the same, similar and other. */
describe.each([
  ['with descriptions', (task: WrittenTask) => task, [8, 8]],
  ['by their titles alone', ({ title }: WrittenTask) => ({ title }), [7, 5]],
])('feedback comes back to tasks %s', (_how, written, similar) => {
  it.each([
    ['the first eight', TASKS.reviewed, similar[0]],
    ['eight others', TASKS.others, similar[1]],
  ])('%s', async (_which, tasks, found) => {
    const knowledge = await rejected(tasks, written)
    const told = async (asked: (task: ReviewedTask) => WrittenTask) => {
      const total = { right: 0, wrong: 0 }
      for (const task of tasks) {
        const block = (await knowledge.contextFor(written(asked(task)))) ?? ''
        for (const { feedback } of tasks) {
          if (block.includes(feedback.slice(0, 60))) total[feedback === task.feedback ? 'right' : 'wrong']++
        }
      }
      return total
    }
    const grades = {
      identical: await told((task) => task),
      similar: await told(({ similar }) => similar),
      related: await told(({ related }) => related),
      neighbour: await told(({ neighbour }) => neighbour),
    }
    console.table(grades)
    expect(grades.identical).toEqual({ right: 8, wrong: 0 })
    expect(grades.similar).toEqual({ right: found, wrong: 0 })
    expect(grades.related.wrong + grades.neighbour.wrong).toBeLessThanOrEqual(1)
    expect(grades.neighbour.right).toBeLessThanOrEqual(3)
    for (const task of TASKS.unrelated) expect(await knowledge.contextFor(written(task))).toBeUndefined()
  })
})

async function rejected(
  tasks: readonly ReviewedTask[],
  written: (task: WrittenTask) => WrittenTask,
): Promise<ProjectKnowledge> {
  const embedder = await openLocalEmbedder({ cacheDir: await temporaryFolder() })
  onTestFinished(() => embedder.close())
  const { knowledge } = await openKnowledge(sqliteTarget, embedder)
  for (const [at, task] of tasks.entries()) {
    const { gateType, approach, feedback } = task
    const { title: taskTitle, description: taskDescription } = written(task)
    const work = { project: 'one', taskId: at + 1, taskTitle, taskDescription, gateType, approach }
    const gate = await knowledge.gates.request(work)
    await knowledge.gates.reject(gate.id, { feedback })
  }
  await knowledge.checkpoint('manual')
  return knowledge
}
