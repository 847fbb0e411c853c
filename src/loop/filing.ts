import type { Feature } from '../board/feature.ts'
import { GENERAL, type Task } from '../board/task.ts'
import { type Technology, technologiesOf } from './technologies.ts'

/** What knowledge of a task is filed under. Absent: unknown, so it holds for any. */
export interface TaskFiling {
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
}

/** Read off what is there: the board's words, and the manifests of the project. Nothing is guessed. */
export async function filingOf(
  project: string,
  task: Task,
  feature: Feature | undefined,
): Promise<TaskFiling> {
  return {
    agentType: agentTypeOf(task.discipline),
    taskType: taskTypeOf(task.title),
    technology: technologyOf(task, feature, await technologiesOf(project)),
  }
}

function agentTypeOf(discipline: string): string | undefined {
  return discipline === GENERAL ? undefined : discipline
}

/** The verb a title begins with. */
const TASK_TYPES: Record<string, readonly string[]> = {
  bugfix: ['fix', 'repair', 'debug', 'correct', 'mend'],
  feature: ['add', 'implement', 'build', 'create', 'introduce', 'support', 'allow', 'let', 'offer', 'show'],
  refactoring: ['refactor', 'rename', 'extract', 'simplify', 'restructure', 'split', 'move', 'replace'],
  testing: ['test', 'cover'],
  documentation: ['document', 'describe', 'explain'],
  migration: ['migrate', 'upgrade', 'port', 'convert', 'bump'],
  performance: ['optimise', 'optimize', 'speed', 'cache', 'profile'],
  removal: ['remove', 'delete', 'drop'],
}

function taskTypeOf(title: string): string | undefined {
  const [verb] = title.toLowerCase().match(/^\p{L}+/u) ?? []
  return Object.keys(TASK_TYPES).find((type) => verb !== undefined && TASK_TYPES[type]!.includes(verb))
}

/** Other ways to write a name. */
const SPELLINGS: Record<string, readonly string[]> = {
  postgres: ['postgresql'],
  next: ['next.js', 'nextjs'],
  vue: ['vue.js', 'vuejs'],
  nestjs: ['nest.js', 'nest'],
  rails: ['ruby on rails'],
  mongodb: ['mongo'],
}
/** Which of the project's technologies a discipline works with. */
const AREAS: readonly (readonly [discipline: RegExp, area: Technology['area']])[] = [
  [/front|\bui\b|\bux\b|design/i, 'frontend'],
  [/back|\bapi\b|server/i, 'backend'],
  [/data|\bdb\b|\bsql\b/i, 'database'],
]

/**
 * Of the technologies that the project's manifests name: the one the task names, else the feature, else the only one
 * that its discipline works with, else the language if there is only one.
 */
function technologyOf(
  task: Task,
  feature: Feature | undefined,
  technologies: readonly Technology[],
): string | undefined {
  const used = technologies.filter(({ area }) => area !== 'language')
  const languages = technologies.filter(({ area }) => area === 'language')
  const inTask = [task.title, task.description, ...task.acceptanceCriteria].join('\n')
  const inFeature = [feature?.description, feature?.architecture, ...(feature?.dependencies ?? [])].join('\n')
  const area = AREAS.find(([discipline]) => discipline.test(task.discipline))?.[1]
  return (
    firstNamed(used, inTask) ??
    firstNamed(languages, inTask) ??
    onlyOne(used.filter((technology) => technology.area === area)) ??
    onlyNamed(used, inFeature) ??
    onlyOne(languages)
  )
}

function firstNamed(technologies: readonly Technology[], text: string): string | undefined {
  return placesOf(technologies, text).toSorted((a, b) => a.at - b.at)[0]?.name
}

/** A feature may name all that the project uses: then it says nothing about one of its tasks. */
function onlyNamed(technologies: readonly Technology[], text: string): string | undefined {
  return onlyOne(placesOf(technologies, text))
}

function placesOf(technologies: readonly Technology[], text: string): { name: string; at: number }[] {
  return technologies
    .map(({ name }) => ({ name, at: placeOf(name, text.toLowerCase()) }))
    .filter(({ at }) => at >= 0)
}

function placeOf(name: string, text: string): number {
  const places = [name, ...(SPELLINGS[name] ?? [])].map((spelling) =>
    text.search(new RegExp(`(?<![\\p{L}\\p{N}])${spelling.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}])`, 'u')),
  )
  return places.filter((at) => at >= 0).toSorted((a, b) => a - b)[0] ?? -1
}

function onlyOne(found: readonly { name: string }[]): string | undefined {
  return found.length === 1 ? found[0]!.name : undefined
}
