import { shellWord } from '../text/shell-word.ts'
import type { Discipline } from './discipline.ts'
import { describeIssue, type EntryFile, type Inspection } from './entry-file.ts'
import type { Feature } from './feature.ts'
import { waitingCircles } from './readiness.ts'
import { GENERAL, type Task } from './task.ts'

export interface BoardProblem {
  /** `broken`: the file cannot be used until it is corrected. `odd`: everything works, but probably not as meant. */
  kind: 'broken' | 'odd'
  message: string
  /** What a person can do about it, where that is more than an editor. */
  hint?: string
  /** It can be mended without asking: nothing that anybody goes by changes. */
  mendable?: true
  /** The tasks that it is about, where it is about tasks. */
  tasks?: number[]
}

export interface BoardFiles {
  features: EntryFile<Feature>
  tasks: EntryFile<Task>
  disciplines: EntryFile<Discipline>
}

/** Everything wrong with the board, in words; nothing of it is fatal to whoever asks. */
export async function boardProblems(files: BoardFiles): Promise<BoardProblem[]> {
  const features = await files.features.inspect()
  const tasks = await files.tasks.inspect()
  const disciplines = await files.disciplines.inspect()
  return [
    ...fileProblems(files.features, features),
    ...fileProblems(files.tasks, tasks),
    ...fileProblems(files.disciplines, disciplines),
    ...(tasks.ok ? taskProblems(itemsOf(tasks), itemsOf(features), itemsOf(disciplines)) : []),
  ]
}

function itemsOf<T>(inspection: Inspection<T>): T[] | undefined {
  return inspection.ok ? inspection.loaded.items : undefined
}

function fileProblems<T>(file: EntryFile<T>, inspection: Inspection<T>): BoardProblem[] {
  if (!inspection.ok) {
    return inspection.issues.map((issue) => ({ kind: 'broken', message: describeIssue(file.path, issue) }))
  }
  const known = new Set(Object.values(file.kind.fields))
  return inspection.loaded.list.entries.flatMap((entry) =>
    Object.keys(entry.value as object)
      .filter((key) => !known.has(key))
      .map((key) => ({
        kind: 'odd' as const,
        message: describeIssue(file.path, {
          line: entry.line,
          field: key,
          message: 'is not a field we know; it is kept and ignored',
        }),
      })),
  )
}

function taskProblems(
  tasks: readonly Task[] = [],
  features?: readonly Feature[],
  disciplines?: readonly Discipline[],
): BoardProblem[] {
  const problems: BoardProblem[] = []
  const odd = (message: string, more: Pick<BoardProblem, 'hint' | 'mendable' | 'tasks'>) =>
    problems.push({ kind: 'odd', message, ...more })
  const ids = new Set(tasks.map((task) => task.id))
  const featureNames = new Set(features?.map((feature) => feature.name))
  const disciplineNames = new Set(disciplines?.map((discipline) => discipline.name))
  for (const task of tasks) {
    for (const id of task.blockedBy) {
      if (!ids.has(id))
        odd(`task ${task.id} is blocked by task ${id}, which does not exist; ignored`, {
          mendable: true,
          tasks: [task.id],
        })
    }
    if (features && task.feature !== GENERAL && !featureNames.has(task.feature)) {
      odd(`task ${task.id} belongs to feature "${task.feature}", which is not on the board`, {
        hint: `ralph feature add ${shellWord(task.feature)}, or: ralph task set ${task.id} --feature OTHER`,
        tasks: [task.id],
      })
    }
    if (disciplines && task.discipline !== GENERAL && !disciplineNames.has(task.discipline)) {
      odd(`task ${task.id} needs discipline "${task.discipline}", which is not on the board`, {
        hint: `ralph discipline add ${shellWord(task.discipline)}, or: ralph task set ${task.id} --discipline OTHER`,
        tasks: [task.id],
      })
    }
  }
  for (const circle of waitingCircles(tasks)) {
    odd(`tasks wait for each other in a circle and can never start: ${[...circle, circle[0]].join(' → ')}`, {
      hint: `ralph task set ${circle[0]} --clear blocked-by`,
      tasks: circle,
    })
  }
  return problems
}
