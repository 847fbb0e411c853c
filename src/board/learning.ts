import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { type FeatureLearning, parseLearning } from '../learnings/learning.ts'

/** A learning in features.yaml, a plain string or a mapping; what is valid is for the learnings to say. */
export const LearningOnDisk = z.unknown().transform((value, context): FeatureLearning => {
  try {
    return parseLearning(value, '')
  } catch (error) {
    context.addIssue(messageOf(error).replace(/^: /, ''))
    return z.NEVER
  }
})
