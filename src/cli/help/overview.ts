import { wrap } from '../../text/wrap.ts'
import { COMMAND_TABLE, type CommandEntry, HELP_GROUPS } from '../command-table.ts'
import { pairs } from '../pairs.ts'
import type { HelpLook } from './look.ts'
import { HELP_TOPICS } from './topics.ts'

type Group = keyof typeof HELP_GROUPS
const groups = Object.keys(HELP_GROUPS) as Group[]
const titleWidth = Math.max(...Object.values(HELP_GROUPS).map((title) => title.length)) + 2

/** `ralph` by itself: the commands for every day, and the names of the others. */
export function overview(look: HelpLook): string {
  const [everyday, ...others] = groups
  return [
    intro(look),
    groupList(everyday!, look, shownFirst),
    others.map((group) => groupLine(group, look)).join('\n'),
    pairs(
      [
        ['ralph COMMAND --help', 'what it takes, with examples'],
        [`ralph help ${others[0]}`, 'what the commands of a group do; --all: of every group'],
        ['ralph help words', 'what the words mean'],
        ['ralph help TOPIC', `documentation: ${Object.keys(HELP_TOPICS).slice(1).join(', ')}`],
      ],
      look.width,
    ),
    '',
  ].join('\n\n')
}

/** `ralph help --all`: every command with what it does. */
export function allCommands(look: HelpLook): string {
  return [intro(look), ...groups.map((group) => groupList(group, look)), topicList(look), ''].join('\n\n')
}

/** `ralph help board` */
export function groupHelp(name: string, look: HelpLook): string | undefined {
  if (!isGroup(name)) return undefined
  return [groupList(name, look), 'ralph COMMAND --help says what each takes, with examples.', ''].join('\n\n')
}

function isGroup(name: string): name is Group {
  return Object.hasOwn(HELP_GROUPS, name)
}

function intro({ width }: HelpLook): string {
  return [
    wrap('Memory for coding agents: what happened, found again when it matters.', width),
    'Usage: ralph COMMAND [options]',
  ].join('\n\n')
}

function groupList(group: Group, { width, bold }: HelpLook, filter = anyEntry): string {
  const commands = COMMAND_TABLE.filter((entry) => entry.group === group && filter(entry))
  const lines = commands.map(({ name, description }) => [name, description] as const)
  return `${bold(HELP_GROUPS[group])}\n${pairs(lines, width)}`
}

function groupLine(group: Group, { width, bold }: HelpLook): string {
  const names = COMMAND_TABLE.filter((entry) => entry.group === group && shownFirst(entry))
  const title = HELP_GROUPS[group]
  const line = wrap(names.map(({ name }) => name).join(', '), width - titleWidth).replaceAll(
    '\n',
    `\n${' '.repeat(titleWidth)}`,
  )
  return `${bold(title)}${' '.repeat(titleWidth - title.length)}${line}`
}

function topicList({ width, bold }: HelpLook): string {
  return `${bold('Topics: ralph help TOPIC')}\n${pairs(Object.entries(HELP_TOPICS), width)}`
}

const anyEntry = (_: CommandEntry): boolean => true
const shownFirst = ({ hidden }: CommandEntry): boolean => !hidden
