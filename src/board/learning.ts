import { z } from 'zod'
import { camelKeys } from '../text/case.ts'
import { isMapping } from './yaml/edit.ts'

/** On disk a learning is a plain string or a mapping; the learning's own schema says what is valid. */
export const Learning = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : isMapping(value) ? camelKeys(value) : value),
  z.looseObject({ text: z.string().min(1), source: z.string().default('human') }),
)
export type Learning = z.infer<typeof Learning>
