import type { Board } from '../board/board.ts'
import { featuresInProgress } from '../board/current-feature.ts'
import type { Task } from '../board/task.ts'
import type { Deferred } from '../deferred.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { ProjectIdentity } from '../identity/identity.ts'
import type { WaitingReport } from './waiting.ts'

export interface TaskCounts {
  open: number
  inProgress: number
  blocked: number
  done: number
}

/** What the board and what waits beside it come to, as far as a glance needs it. */
export interface BoardGlance {
  features: { name: string; displayName?: string; tasks: TaskCounts }[]
  tasks: TaskCounts
  /** Those in which work is going on. */
  inProgress: string[]
  /** Without the gates, which are kept elsewhere. */
  waiting: WaitingReport
  /** What the project's memory is filed under. */
  projectKey: string
  /** Whether something is trusted depends on files that it names: no stamp of the board tells. */
  hasServers: boolean
  /** Why the board cannot be read. */
  trouble?: { message: string; hint?: string }
}

interface BoardGlanceParts {
  board: Deferred<Board>
  identity: Pick<ProjectIdentity, 'look'>
  /** Features with a journal. */
  recorded: readonly string[]
  waiting: () => Promise<WaitingReport>
}

/** The slow part: it reads all of the board. Kept until one of its files changes. */
export async function boardGlance({
  board,
  identity,
  recorded,
  waiting,
}: BoardGlanceParts): Promise<BoardGlance> {
  const shared = { waiting: await waiting(), projectKey: identity.look().key }
  try {
    const [features, tasks] = [await board.features(), await board.tasks()]
    const disciplines = await board.disciplines()
    const names = [...new Set([...features.map(({ name }) => name), ...recorded])]
    return {
      ...shared,
      features: features.map(({ name, displayName }) => ({
        name,
        ...(displayName && { displayName }),
        tasks: countTasks(tasks.filter(({ feature }) => feature === name)),
      })),
      tasks: countTasks(tasks),
      hasServers: disciplines.some(({ mcpServers }) => Object.keys(mcpServers).length > 0),
      inProgress: featuresInProgress(names, tasks),
    }
  } catch (error) {
    const hint = isRalphError(error) ? error.hint : undefined
    const trouble = { message: messageOf(error), ...(hint && { hint }) }
    return { ...shared, features: [], tasks: countTasks([]), inProgress: [], hasServers: false, trouble }
  }
}

function countTasks(tasks: readonly Task[]): TaskCounts {
  const count = (status: Task['status']) => tasks.filter((task) => task.status === status).length
  return {
    open: count('pending'),
    inProgress: count('in_progress'),
    blocked: count('blocked'),
    done: count('done'),
  }
}
