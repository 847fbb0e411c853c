import { relative } from 'node:path'
import type { EditResult } from '../agent-config/edited-file.ts'
import type { SetupStep } from '../project-setup.ts'

/** What became of somebody else's file, named from the project where it lies in it. */
export function stepOf({ file, action }: EditResult, project: string): SetupStep {
  return { path: shownPath(file, project), action: action === 'unchanged' ? 'kept' : action }
}

export function shownPath(file: string, project: string): string {
  const name = relative(project, file).replaceAll('\\', '/')
  return name.startsWith('../') ? file : name
}
