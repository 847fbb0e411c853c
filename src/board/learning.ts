import { messageOf } from '../errors.ts'
import { type FeatureLearning, parseLearning } from '../learnings/learning.ts'
import { refusedAs, z } from '../text/schema.ts'

/** A learning in features.yaml, a plain string or a mapping; what is valid is for the learnings to say. */
export const LearningOnDisk = z.pipe(
  z.unknown(),
  z.transform((value, context): FeatureLearning => {
    try {
      return parseLearning(value, '')
    } catch (error) {
      return refusedAs(context, messageOf(error).replace(/^: /, ''))
    }
  }),
)
