import type { Command } from 'commander'
import type { Task, TaskStatus } from '../../../board/task.ts'
import type { Ralph } from '../../../ralph.ts'
import { undoable } from '../../../undo/undoable.ts'
import { ralphCommand, withExamples } from '../../command.ts'
import { taskId } from './flags.ts'

interface StatusCommand {
  name: string
  description: string
  status: TaskStatus
  /** What is said of those that changed, and of those that were so before. */
  words: { changed: string; already: string }
}

const COMMANDS: readonly StatusCommand[] = [
  {
    name: 'done',
    description: 'say that tasks are done',
    status: 'done',
    words: { changed: 'is done', already: 'was done already' },
  },
  {
    name: 'start',
    description: 'say that tasks are being worked on',
    status: 'in_progress',
    words: { changed: 'is in progress', already: 'was in progress already' },
  },
  {
    name: 'reopen',
    description: 'put tasks back: they wait for somebody to work on them',
    status: 'pending',
    words: { changed: 'is pending again', already: 'was pending already' },
  },
]

/** `task done 7 8` and its like: what is said of tasks most often, in one word. */
export function registerTaskStatus(task: Command): void {
  for (const { name, description, status, words } of COMMANDS) {
    const command = task.command(`${name} <ids...>`).description(description)
    withExamples(command, `ralph task ${name} 7`, `ralph task ${name} 7 8`)
    ralphCommand(command, async ({ ralph, out }, ...typed) => {
      const ids = [
        ...new Set(
          typed
            .flatMap((one) => one.split(','))
            .filter(Boolean)
            .map(taskId),
        ),
      ]
      const changes = await undoable(ralph, `task ${name} ${ids.join(' ')}`, () =>
        changed(ralph, ids, status),
      )
      out.result({ tasks: changes.map(({ now, before }) => ({ ...now, before: before.status })) }, () =>
        changes
          .map(({ now, before }) => {
            const said = before.status === status ? words.already : words.changed
            return `${out.style('green', '✓')} Task ${now.id} ${said}: ${now.title}`
          })
          .join('\n'),
      )
    })
  }
}

/** None is changed when one of them is not there. */
async function changed(
  { board }: Ralph,
  ids: readonly number[],
  status: TaskStatus,
): Promise<{ before: Task; now: Task }[]> {
  const tasks = []
  for (const id of ids) tasks.push(await board.task(id))
  const changes = []
  for (const before of tasks) changes.push({ before, now: await board.patchTask(before.id, { status }) })
  return changes
}
