import type { Tool } from './tool.ts'
import { conversationTools } from './tools/conversations.ts'
import { learningTools } from './tools/learnings.ts'
import { recallTools } from './tools/recall.ts'
import { featureTools } from './tools/update-feature.ts'

/** Conversations belong to the user, not to a feature: an agent locked to one feature does not see them. */
export function toolsFor(feature: string | undefined): Tool[] {
  const tools = [...recallTools, ...learningTools, ...featureTools]
  return feature === undefined ? [...tools, ...conversationTools] : tools
}
