import { projectPath } from '../../files/project-path.ts'
import type { HookContext, Injection } from '../context.ts'
import type { SayingInParts } from '../facts/feature-facts.ts'
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
  const file = String(toolInput['file_path'] ?? toolInput['notebook_path'] ?? '')
  const path = projectPath(file, context.config.project)
  if (EDITORS.has(tool)) {
    new LiveCommands(context.notes).acted(path ?? file)
    if (path !== undefined) context.notes.touch(path)
  }
  return tool === 'Read' && path !== undefined ? beforeReading(context, path) : undefined
}

async function beforeReading(context: HookContext, path: string): Promise<Injection | undefined> {
  const changes = (await context.facts())?.changes
  const known = changes && Object.hasOwn(changes, path) ? changes[path] : undefined
  return known && notYetTold(`change ${path}`, known, context)
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
