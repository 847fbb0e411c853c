import { quoted } from '../text/quote.ts'
import type { Task, TaskStatus } from './task.ts'

/** Enough to know where a feature stands; the rest is a number. */
const NAMED_PER_STATUS = 5
const LONGEST_TITLE = 120

const GROUPS: [TaskStatus, string][] = [
  ['done', 'Done'],
  ['in_progress', 'In progress'],
  ['blocked', 'Blocked'],
  ['pending', 'To do'],
  ['skipped', 'Skipped'],
]

/** "3/7 tasks complete. Done: … In progress: …", from the tasks alone. */
export function describeState(tasks: readonly Task[]): string {
  if (tasks.length === 0) return 'No tasks yet.'
  const done = tasks.filter((task) => task.status === 'done').length
  const groups = GROUPS.map(([status, label]) => {
    const titles = tasks.filter((task) => task.status === status).map((task) => task.title)
    return titles.length === 0 ? '' : ` ${label}: ${named(status === 'done' ? titles.reverse() : titles)}.`
  })
  return `${done}/${tasks.length} tasks complete.${groups.join('')}`
}

function named(titles: readonly string[]): string {
  const shown = titles
    .slice(0, NAMED_PER_STATUS)
    .map((title) => quoted(title.replace(/[.\s]+$/, ''), LONGEST_TITLE))
  const rest = titles.length - shown.length
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}
