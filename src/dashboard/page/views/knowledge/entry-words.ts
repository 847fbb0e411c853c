import type { InferResponseType } from 'hono/client'
import type { api } from '../../client.ts'

export type ShownEntry = InferResponseType<(typeof api.knowledge.entries)[':id']['$get'], 200>
export type Entry = ShownEntry['entry']
export type EntryKind = Entry['kind']

export const KINDS: Record<EntryKind, string> = {
  failure_solution: 'solved failure',
  gate_rejection: 'rejected at a gate',
  gate_approval: 'approved at a gate',
}

/** Its texts in the order in which they are read, each with what it is. */
export function textsOf(entry: Entry): [title: string, text: string][] {
  const texts: [string, string][] =
    entry.kind === 'failure_solution'
      ? [
          ['What went wrong', entry.failureDescription],
          ['The error', entry.errorMessage],
          ['What solved it', entry.solutionSteps],
        ]
      : [
          ['The task', entry.taskTitle],
          ...(entry.kind === 'gate_rejection'
            ? ([
                ['What a person said', entry.humanFeedback],
                ['How it was revised', entry.revisionApproach],
              ] as [string, string][])
            : ([['What was approved', entry.approvedApproach]] as [string, string][])),
        ]
  return [...texts, ['What the task was about', entry.taskDescription] as [string, string]].filter(
    ([, text]) => text !== '',
  )
}

/** The one that says most about an entry, for a list. */
export function headOf(entry: Entry): string {
  switch (entry.kind) {
    case 'failure_solution':
      return entry.failureDescription
    case 'gate_rejection':
      return entry.humanFeedback
    case 'gate_approval':
      return entry.approvedApproach
  }
}

/** Where it applies, as far as that was said. */
export function filingOf({ technology, taskType, agentType }: Entry): string[] {
  return [technology, taskType, agentType].filter((name) => name !== '')
}

/** The last part of where a project lies; the whole is shown on demand. */
export function projectName(project: string): string {
  return project.split(/[\\/]/).findLast((part) => part !== '') ?? project
}
