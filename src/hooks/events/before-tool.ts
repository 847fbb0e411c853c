import { projectPath } from '../../files/project-path.ts'
import type { HookContext, Injection } from '../context.ts'
import type { SayingInParts } from '../facts/feature-facts.ts'
import { filesOfCall } from '../input.ts'
import { LiveCommands } from '../live-commands.ts'
import { beforeCommand } from './before-command.ts'

const SHELLS = new Set(['Bash', 'PowerShell'])
const EDITORS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/**
 * What is said before a tool runs reaches the model only with the tool's result. So a file is spoken of when it is read,
 * which is before it is edited, and a command is held back where it must not run first.
 */
export async function beforeTool(context: HookContext): Promise<Injection | undefined> {
  const { tool = '', toolInput } = context.input
  if (!context.remembers) return undefined
  if (SHELLS.has(tool)) return beforeCommand(context, String(toolInput['command'] ?? ''))
  if (EDITORS.has(tool)) noteEdit(context)
  return tool === 'Read' ? onReading(context) : undefined
}

function noteEdit(context: HookContext): void {
  const live = new LiveCommands(context.notes)
  for (const file of filesOfCall(context.input)) {
    const path = pathIn(context, file)
    live.acted(path ?? file)
    if (path !== undefined) context.notes.touch(path)
  }
}

/** Also afterwards, where a program hears nothing before. */
export async function onReading(context: HookContext): Promise<Injection | undefined> {
  if (!context.remembers) return undefined
  const paths = filesOfCall(context.input).flatMap((file) => pathIn(context, file) ?? [])
  const changes = paths.length === 0 ? undefined : (await context.facts())?.changes
  const path = paths.find((one) => changes && Object.hasOwn(changes, one))
  return path === undefined ? undefined : notYetTold(`change ${path}`, changes![path]!, context)
}

function pathIn({ config, input }: HookContext, file: string): string | undefined {
  return projectPath(file, config.project, { from: input.cwd })
}

/** What is left of a saying for this session: what it was told already is not quoted again. */
export function notYetTold(key: string, { parts, item }: SayingInParts, { notes }: HookContext): Injection {
  const told = (fact: string | undefined) => fact !== undefined && notes.isShown(fact)
  const text = parts
    .map((part) => (told(part.tells) ? part.otherwise : part.text))
    .filter((words) => words !== undefined)
    .join(' ')
  const tells = parts.flatMap((part) => part.tells ?? [])
  return { key, tells, text, items: [{ ...item, text }] }
}
