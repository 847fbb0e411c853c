import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../errors.ts'
import { nearestWord } from '../../text/nearest.ts'
import { ownColours } from '../../text/terminal.ts'
import { packageRoot } from '../../version.ts'
import { COMMAND_TABLE, entryNamed, HELP_GROUPS } from '../command-table.ts'
import type { HelpLook } from './look.ts'
import { markdownText } from './markdown-text.ts'
import { groupHelp } from './overview.ts'
import { HELP_TOPICS, TOPIC_NAMES } from './topics.ts'

/** What `ralph help WORD` shows where it is not the help of a command: a page of the documentation, or a group. */
export function topicText(word: string, look: HelpLook): string | undefined {
  const topic = TOPIC_NAMES[word] ?? word
  if (!Object.hasOwn(HELP_TOPICS, topic)) {
    const group = groupHelp(word, look)
    return group && ownColours(group)
  }
  const page = readFileSync(join(packageRoot, 'docs', `${topic}.md`), 'utf8')
  const command = entryNamed(word)
  const pointer = command ? [`What the command takes: ralph ${command.name} --help`, ''] : []
  return ownColours([...pointer, markdownText(page, look)].join('\n'))
}

export function unknownTopic(word: string): UsageError {
  const known = [
    ...Object.keys(HELP_TOPICS),
    ...Object.keys(HELP_GROUPS),
    ...COMMAND_TABLE.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ]
  const near = nearestWord(word, known)
  const all = '`ralph help --all` lists every command and topic.'
  const hint = near === undefined ? all : `Did you mean \`ralph help ${near}\`? ${all}`
  return new UsageError(`there is no help on "${word}"`, hint)
}
