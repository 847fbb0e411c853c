import type { Command } from 'commander'
import type { Discipline, DisciplinePatch } from '../../board/discipline.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { AgentName } from '../../transcripts/agents.ts'
import { undoable } from '../../undo/undoable.ts'
import { ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { AGENT_FLAG, parseAgent, sayAgentTrust } from './board/agent-flag.ts'
import { clearedFields, requireChange, type TextFlag, textOption } from './board/flags.ts'

const TEXTS: readonly TextFlag[] = [
  { field: 'displayName', flag: '--display-name', description: 'how people call it' },
  {
    field: 'systemPrompt',
    flag: '--system-prompt',
    description: 'what an agent of this discipline is told first',
  },
  { field: 'conventions', flag: '--conventions', description: 'the rules of the house' },
]
const CLEARABLE = [...TEXTS.map(({ field }) => field), 'skills', 'agent', 'mcpServers']

interface DisciplineFlags {
  displayName?: string
  systemPrompt?: string
  conventions?: string
  skill?: string[]
  agent?: AgentName
  clear?: string[]
}

export function register(discipline: Command): void {
  registerAdd(discipline)
  registerList(discipline)
  registerShow(discipline)
  registerSet(discipline)
  registerRemove(discipline)
}

function withFields(command: Command): Command {
  for (const flag of TEXTS) textOption(command, flag)
  return command.option('--skill <text...>', 'skills to use').option('--agent <name>', AGENT_FLAG, parseAgent)
}

function registerAdd(discipline: Command): void {
  const add = withFields(
    discipline.command('add <name>').description('add a discipline (MCP servers: in disciplines.yaml)'),
  )
  withExamples(add, 'ralph discipline add frontend --system-prompt "You are a careful frontend engineer."')
  ralphCommand<DisciplineFlags>(add, async ({ ralph, options, out }, name) => {
    const added = await undoable(ralph, `discipline add ${shellWord(name!)}`, () =>
      ralph.board.addDiscipline({ ...patchOf(options), name: name! }),
    )
    out.result({ discipline: shown(added) }, () => `Added discipline "${added.name}".`)
    sayAgentTrust(ralph, options.agent, out)
  })
}

function registerList(discipline: Command): void {
  const list = discipline.command('list').description('all disciplines')
  withExamples(list, 'ralph discipline list')
  ralphCommand(list, async ({ ralph, out }) => {
    const disciplines = await ralph.board.disciplines()
    out.result({ disciplines: disciplines.map(shown) }, () =>
      table(
        ['name', 'skills', 'agent', 'MCP servers'],
        disciplines.map(({ name, skills, agent, mcpServers }) => [
          name,
          skills.length,
          agent ?? '',
          Object.keys(mcpServers).join(', '),
        ]),
      ),
    )
    if (disciplines.length === 0) out.talk('No disciplines yet. Add one with: ralph discipline add NAME')
  })
}

function registerShow(discipline: Command): void {
  const show = discipline.command('show <name>').description('everything about a discipline')
  withExamples(show, 'ralph discipline show frontend')
  ralphCommand(show, async ({ ralph, out }, name) => {
    const found = await ralph.board.discipline(name!)
    out.result({ discipline: shown(found) }, () => disciplineText(out, found))
  })
}

function registerSet(discipline: Command): void {
  const set = withFields(
    discipline.command('set <name>').description('change fields; what is not given stays'),
  ).option('--clear <field...>', `empty fields: ${CLEARABLE.join(', ')}`)
  withExamples(set, 'ralph discipline set frontend --conventions @docs/style.md')
  ralphCommand<DisciplineFlags>(set, async ({ ralph, options, out }, name) => {
    const patch = { ...patchOf(options), ...clearedFields(options.clear, CLEARABLE) }
    requireChange(patch)
    const changed = await undoable(ralph, `discipline set ${shellWord(name!)}`, () =>
      ralph.board.patchDiscipline(name!, patch),
    )
    out.result({ discipline: shown(changed) }, () => `Changed discipline "${changed.name}".`)
    sayAgentTrust(ralph, options.agent, out)
  })
}

function registerRemove(discipline: Command): void {
  const remove = discipline.command('remove <name>').description('remove a discipline')
  withExamples(remove, 'ralph discipline remove frontend')
  ralphCommand(remove, async ({ ralph, out }, name) => {
    const removed = await undoable(ralph, `discipline remove ${shellWord(name!)}`, () =>
      ralph.board.removeDiscipline(name!),
    )
    out.result({ removed: removed.name }, () => `Removed discipline "${removed.name}".`)
  })
}

function patchOf({ displayName, systemPrompt, conventions, skill, agent }: DisciplineFlags): DisciplinePatch {
  return { displayName, systemPrompt, conventions, skills: skill, agent }
}

/** Servers by name and start only: their environment may hold keys. */
function shown({ mcpServers, ...discipline }: Discipline) {
  const servers = Object.entries(mcpServers).map(([name, { command, url }]) => ({ name, command, url }))
  return { ...discipline, mcpServers: servers }
}

function disciplineText(out: Output, discipline: Discipline): string {
  const part = (title: string, body: string | undefined) =>
    body ? [``, out.style('bold', title), body.trimEnd().replace(/^/gm, '  ')] : []
  return [
    out.style('bold', discipline.displayName ?? discipline.name),
    ...part('System prompt', discipline.systemPrompt),
    ...part('Conventions', discipline.conventions),
    ...part('Skills', discipline.skills.join('\n')),
    ...part('Agent', discipline.agent),
    ...part('MCP servers', Object.keys(discipline.mcpServers).join('\n')),
  ].join('\n')
}
