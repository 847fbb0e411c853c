import { withoutProject } from '../files/project-path.ts'
import { parseShell, programOf, type SimpleCommand } from './parse-shell.ts'

/** They change where a command runs or how much of its output is shown, not what it does. */
const BESIDE_THE_POINT = new Set(
  'cd pushd popd head tail grep egrep rg cat tee less more wc sort uniq cut sed awk echo printf true sleep ls pwd export source . set'.split(
    ' ',
  ),
)

/**
 * The form in which two ways to run the same command are equal: `cd /shop && CI=1 npm test 2>&1 | tail -5` is `npm test`.
 * Empty when nothing in it could fail in a way worth remembering.
 */
export function commandKey(command: string, project?: string): string {
  const local = project === undefined ? command : withoutProject(command, project)
  const parts = parseShell(local)
  // A loop or a condition: what it runs depends, so only the very same text is the same.
  if (parts.length === 0) return local.replace(/\s+/g, ' ').trim()
  return parts
    .map((part) => ({ ...programOf(part), piped: part.after === '|' }))
    .filter(({ name, piped }) => name !== '' && !(BESIDE_THE_POINT.has(name) || (piped && name === 'xargs')))
    .map(wordsOf)
    .join(' && ')
}

/** The same form of one part of a command. */
export function partKey(part: SimpleCommand, project: string): string {
  return withoutProject(wordsOf(programOf(part)), project)
}

function wordsOf({ name, args }: ReturnType<typeof programOf>): string {
  return [name, ...args.map(({ text }) => text)].join(' ')
}
