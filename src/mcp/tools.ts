import type { Caretaker } from '../learnings/care.ts'
import type { Tool } from './tool.ts'
import { conversationTools } from './tools/conversations.ts'
import { learningTools, reviewTools, silentAppend } from './tools/learnings.ts'
import { recallTools } from './tools/recall.ts'
import { featureTools } from './tools/update-feature.ts'

export interface Offer {
  feature?: string | undefined
  caretaker?: Caretaker | undefined
  /** The agent may change nothing. */
  readOnly?: boolean | undefined
  /** The agent's run goes without memory: it may leave something, and is told nothing. */
  withheld?: boolean | undefined
}

/** What the agent may call; a tool that would refuse it is not offered. */
export function toolsFor({ feature, caretaker = 'agent', readOnly = false, withheld }: Offer): Tool[] {
  if (withheld) return readOnly ? [] : [silentAppend]
  const tools = [
    ...recallTools,
    ...learningTools,
    ...(caretaker === 'agent' ? [] : reviewTools),
    ...featureTools,
    // They belong to the user, not to a feature: an agent locked to one feature does not see them.
    ...(feature === undefined ? conversationTools : []),
  ]
  return readOnly ? tools.filter(({ kind }) => kind === 'read') : tools
}
