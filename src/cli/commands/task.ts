import { type Command, InvalidArgumentError } from 'commander'
import { parsePriority, TASK_STATUSES, type Task, type TaskPatch, type TaskStatus } from '../../board/task.ts'
import type { Ralph } from '../../ralph.ts'
import { plural } from '../../text/plural.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { AgentName } from '../../transcripts/agents.ts'
import { undoable } from '../../undo/undoable.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { AGENT_FLAG, parseAgent, sayAgentTrust } from './board/agent-flag.ts'
import { clearedFields, requireChange, taskId, textOption } from './board/flags.ts'
import { registerTaskStatus } from './board/task-status.ts'

const CLEARABLE = [
  ...['description', 'acceptanceCriteria', 'blockedBy', 'priority', 'discipline', 'feature', 'agent'],
]

interface TaskFlags {
  title?: string
  description?: string
  criterion?: string[]
  feature?: string
  discipline?: string
  agent?: AgentName
  status?: TaskStatus
  blockedBy?: string[]
  priority?: number
  clear?: string[]
}

export function register(task: Command): void {
  registerAdd(task)
  registerList(task)
  registerShow(task)
  registerSet(task)
  registerTaskStatus(task)
  registerComment(task)
  registerRemove(task)
}

function withFields(command: Command): Command {
  textOption(command, { field: 'description', flag: '--description', description: 'what exactly' })
  return command
    .option('--criterion <text...>', 'it is done when …')
    .option('--feature <name>', 'the feature it belongs to (default: general)')
    .option('--discipline <name>', 'how it is worked on (default: general)')
    .option('--agent <name>', AGENT_FLAG, parseAgent)
    .option('--status <status>', TASK_STATUSES.join(', '), parseOneOf('--status', TASK_STATUSES))
    .option('--blocked-by <id...>', 'tasks that must be done before')
    .option('--priority <priority>', 'a number, 1 comes first, or critical, high, medium, low', priority)
}

function registerAdd(task: Command): void {
  const add = withFields(task.command('add <title>').description('add a task'))
  withExamples(
    add,
    'ralph task add "Build the login form" --feature auth --criterion "a wrong password shows a message" --priority high',
    'ralph task add "Send the mail" --feature auth --blocked-by 1 2',
  )
  ralphCommand<TaskFlags>(add, async ({ ralph, options, out }, title) => {
    const added = await undoable(ralph, `task add ${shellWord(title!)}`, () =>
      ralph.board.addTask({ ...patchOf(options), title: title! }),
    )
    out.result({ task: added }, () => `Added task ${added.id}: ${added.title}`)
    await sayWhatIsOdd(ralph, added, out)
    sayAgentTrust(ralph, options.agent, out)
  })
}

/** A slip in a name is noticed now, not when an agent starts on the task. */
async function sayWhatIsOdd({ board }: Ralph, { id }: Task, out: Output): Promise<void> {
  for (const { message, hint = 'ralph doctor --fix', tasks } of await board.problems())
    if (tasks?.includes(id)) out.notice({ key: message, message, hint, harmless: true })
}

function registerList(task: Command): void {
  const list = task
    .command('list')
    .description('all tasks, or some of them')
    .option('--feature <name>', 'only of this feature')
    .option('--status <status>', 'only with this status', parseOneOf('--status', TASK_STATUSES))
    .option('--ready', 'only those that an agent could begin now')
  withExamples(list, 'ralph task list', 'ralph task list --feature auth --ready')
  ralphCommand<{ feature?: string; status?: TaskStatus; ready?: boolean }>(
    list,
    async ({ ralph, options, out }) => {
      const { feature, status, ready } = options
      const wanted = await ralph.board.tasks({ feature, status })
      const readyIds = new Set((await ralph.board.readyTasks()).map(({ id }) => id))
      const tasks = wanted
        .filter(({ id }) => !ready || readyIds.has(id))
        .map((one) => ({ ...one, ready: readyIds.has(one.id) }))
      out.result({ tasks }, () =>
        table(
          ['id', 'status', 'priority', 'feature', 'title'],
          tasks.map((one) => [one.id, statusText(out, one), one.priority, one.feature, one.title]),
        ),
      )
      if (tasks.length === 0) out.talk('No tasks. Add one with: ralph task add "TITLE" --feature NAME')
    },
  )
}

function registerShow(task: Command): void {
  const show = task.command('show <id>').description('everything about a task')
  withExamples(show, 'ralph task show 7')
  ralphCommand(show, async ({ ralph, out }, id) => {
    const found = await ralph.board.task(taskId(id!))
    out.result({ task: found }, () => taskText(out, found))
  })
}

function registerSet(task: Command): void {
  const set = withFields(task.command('set <id>').description('change fields; what is not given stays'))
    .option('--title <text>', 'its title')
    .option('--clear <field...>', `empty fields: ${CLEARABLE.join(', ')}`)
  withExamples(set, 'ralph task set 7 --status done', 'ralph task set 7 --clear blocked-by')
  ralphCommand<TaskFlags>(set, async ({ ralph, options, out }, id) => {
    const patch = { ...patchOf(options), ...clearedFields(options.clear, CLEARABLE) }
    requireChange(patch)
    const changed = await undoable(ralph, `task set ${id}`, () => ralph.board.patchTask(taskId(id!), patch))
    out.result({ task: changed }, () => `Changed task ${changed.id} (${changed.status}).`)
    await sayWhatIsOdd(ralph, changed, out)
    sayAgentTrust(ralph, options.agent, out)
  })
}

function registerComment(task: Command): void {
  const comment = task
    .command('comment <id> <text>')
    .description('add a comment; the next iteration reads it')
    .option('--author <name>', 'who says so')
  withExamples(comment, 'ralph task comment 7 "The mail server is mocked in tests" --author ann')
  ralphCommand<{ author?: string }>(comment, async ({ ralph, options, out }, id, text) => {
    const said = { text: text!, author: options.author }
    const changed = await undoable(ralph, `task comment ${id}`, () =>
      ralph.board.addComment(taskId(id!), said),
    )
    out.result(
      { task: changed },
      () => `Task ${changed.id} has ${plural(changed.comments.length, 'comment')}.`,
    )
  })
}

function registerRemove(task: Command): void {
  const remove = task.command('remove <id>').description('remove a task; others no longer wait for it')
  withExamples(remove, 'ralph task remove 7')
  ralphCommand(remove, async ({ ralph, out }, id) => {
    const removed = await undoable(ralph, `task remove ${id}`, () => ralph.board.removeTask(taskId(id!)))
    out.result({ removed: removed.id }, () => `Removed task ${removed.id}: ${removed.title}`)
  })
}

function patchOf(options: TaskFlags): Omit<TaskPatch, 'title'> & { title?: string } {
  const { title, description, criterion, feature, discipline, agent, status, blockedBy } = options
  return {
    ...(title !== undefined && { title }),
    description,
    acceptanceCriteria: criterion,
    feature,
    discipline,
    agent,
    status,
    blockedBy: blockedBy?.flatMap((ids) => ids.split(',')).map(taskId),
    priority: options.priority,
  }
}

function priority(text: string): number {
  const value = parsePriority(/^\d+$/.test(text) ? Number(text) : text)
  if (value !== undefined) return value
  throw new InvalidArgumentError('--priority must be 0 to 9 (1 comes first), critical, high, medium or low.')
}

const COLOURS = {
  done: 'green',
  in_progress: 'cyan',
  blocked: 'red',
  skipped: 'dim',
  pending: 'yellow',
} as const

function statusText(out: Output, { status, ready }: { status: TaskStatus; ready?: boolean }): string {
  return `${out.style(COLOURS[status], status)}${status === 'pending' && ready === false ? out.style('dim', ' (waits)') : ''}`
}

export function taskText(out: Output, task: Task): string {
  const facts = [
    statusText(out, task),
    `feature ${task.feature}`,
    `discipline ${task.discipline}`,
    ...(task.agent ? [`agent ${task.agent}`] : []),
    `priority ${task.priority}`,
    ...(task.blockedBy.length > 0 ? [`waits for ${task.blockedBy.join(', ')}`] : []),
  ]
  return [
    `${out.style('bold', `${task.id}  ${task.title}`)}`,
    `  ${facts.join(' · ')}`,
    ...(task.description ? ['', task.description.trimEnd().replace(/^/gm, '  ')] : []),
    ...(task.acceptanceCriteria.length > 0
      ? ['', '  Done when', ...task.acceptanceCriteria.map((text) => `  - ${text}`)]
      : []),
    ...(task.comments.length > 0
      ? [
          '',
          '  Comments',
          ...task.comments.map(({ author, text }) => `  - ${author ? `${author}: ` : ''}${text}`),
        ]
      : []),
  ].join('\n')
}
