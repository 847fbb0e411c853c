import type { Found, WritePath } from '../core/write-path.ts'

/** Tasks, what is changed in them, and what is said of them: all in one YAML file that is written anew each time. */
export const path: WritePath = {
  name: 'board',
  what: 'a task, a change of one, or a comment, in YAML',
  async write({ board }, id, { acknowledge }) {
    const task = await board.addTask({ title: `Task ${id}`, feature: 'shop' })
    acknowledge(`${id}-task`)
    await board.addComment(task.id, { author: 'soak', text: `Comment ${id}` })
    acknowledge(`${id}-comment`)
    await board.patchTask(task.id, { status: 'done' })
  },
  async prepare({ board }) {
    await board.addFeature({ name: 'shop' })
  },
  async find({ board }): Promise<Found> {
    const problems = (await board.problems()).map((problem) => JSON.stringify(problem))
    const ids = (await board.tasks()).flatMap(({ title, comments, status }) => {
      const id = title.split(' ')[1]!
      const said = comments.map(({ text }) => `${text.split(' ')[1]}-comment`)
      return [`${id}-task`, ...said, ...(status === 'done' ? [id] : [])]
    })
    return { ids, damaged: problems }
  },
}
