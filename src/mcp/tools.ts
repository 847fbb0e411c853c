import type { Tool } from './tool.ts'
import { learningTools } from './tools/learnings.ts'
import { recallTools } from './tools/recall.ts'
import { featureTools } from './tools/update-feature.ts'

/** Conversations belong to the user, not to a feature: an agent locked to one feature does not see them. */
export function toolsFor(_feature: string | undefined): Tool[] {
  return [...recallTools, ...learningTools, ...featureTools]
}
