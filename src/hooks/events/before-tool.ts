import { commandKey } from '../../feature-memory/command-key.ts'
import type { FailedAction } from '../../feature-memory/failed-actions.ts'
import { projectPath } from '../../files/project-path.ts'
import type { HookContext, Injection } from '../context.ts'

const EDITORS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])
const LONGEST_ERROR = 400

/** The same command, or an edit of the same file, that failed before in this feature: said right where it is repeated. */
export async function beforeTool(context: HookContext): Promise<Injection | undefined> {
  const { tool = '', toolInput } = context.input
  if (!context.remembers) return undefined
  if (tool === 'Bash') return beforeCommand(context, String(toolInput['command'] ?? ''))
  if (EDITORS.has(tool)) {
    return beforeEdit(context, String(toolInput['file_path'] ?? toolInput['notebook_path'] ?? ''))
  }
  return undefined
}

async function beforeCommand(context: HookContext, command: string): Promise<Injection | undefined> {
  const key = commandKey(command, context.config.project)
  if (key === '') return undefined
  const facts = await context.facts('soon')
  const failed = own(facts?.failures.commands, key)
  return failed && warning(commandWarning(key), 'The same command', 'the same command failed', failed)
}

/** Under which key the warning of a command is noted. */
export function commandWarning(key: string): string {
  return `command ${key}`
}

async function beforeEdit(context: HookContext, file: string): Promise<Injection | undefined> {
  const path = projectPath(file, context.config.project)
  if (path === undefined) return undefined
  context.notes.touch(path)
  const facts = await context.facts('soon')
  const failed = own(facts?.failures.files, path)
  return failed && warning(`file ${path}`, `Work on ${path}`, 'an error in the same file', failed)
}

function warning(key: string, what: string, why: string, failed: FailedAction): Injection {
  const { iteration, timestamp, task, error, times } = failed
  const often = times > 1 ? `, ${times} times so far` : ''
  const text = `Memory: ${what} failed earlier in this feature (iteration ${iteration}, ${timestamp.slice(0, 10)}, "${task.slice(0, 80)}"${often}) and memory knows of no solution since: ${error.slice(0, LONGEST_ERROR)}. An observation that may be outdated; if it still holds, try another way.`
  return { key, text, items: [{ kind: 'failed_attempt', source: `iteration ${iteration}`, why, text }] }
}

function own<Value>(record: Record<string, Value> | undefined, key: string): Value | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined
}
