import { messageOf, RalphError } from '../errors.ts'
import { parseFeatureName } from '../files/feature-name.ts'
import { type FeatureLearning, learningToDisk, MOST_LEARNINGS } from '../learnings/learning.ts'
import { plural } from '../text/plural.ts'
import { refusedAs, z } from '../text/schema.ts'
import type { EntryKind } from './entry-kind.ts'
import { listOf, mapping, oneOf, projectFile, text, wholeNumber } from './fields.ts'
import { LearningOnDisk } from './learning.ts'

export const FEATURE_CAPS = {
  displayName: 200,
  acronym: 20,
  description: 3_000,
  architecture: 3_000,
  boundaries: 1_500,
  knowledgePaths: 10,
  contextFiles: 30,
  dependency: 300,
  dependencies: 20,
  learnings: MOST_LEARNINGS,
} as const

const CONTEXT_SOURCES = ['auto', 'agent', 'human'] as const

/** A plain path is one that a person put there. */
const ContextFileOnDisk = z.pipe(
  z.pipe(
    z.pipe(
      z.union([projectFile, z.looseObject({ path: projectFile })], {
        error: 'must be a path inside the project, or a mapping with "path"',
      }),
      z.transform((file) => (typeof file === 'string' ? { path: file } : file)),
    ),
    z.looseObject({
      path: z.string(),
      source: z._default(oneOf(CONTEXT_SOURCES), 'human'),
      touch_count: z._default(wholeNumber, 0),
    }),
  ),
  z.transform(({ path, source, touch_count }) => ({ path, source, touchCount: touch_count })),
)

/** A file worth knowing for a feature, and how we came to think so. */
export type ContextFile = z.infer<typeof ContextFileOnDisk>

const featureName = z.pipe(
  z.string({ error: 'must be text' }),
  z.transform((name, context) => {
    try {
      return parseFeatureName(name)
    } catch (error) {
      return refusedAs(context, messageOf(error))
    }
  }),
)

const OnDisk = mapping({
  name: featureName,
  display_name: z.optional(text(FEATURE_CAPS.displayName)),
  acronym: z.optional(text(FEATURE_CAPS.acronym)),
  description: z.optional(text(FEATURE_CAPS.description)),
  architecture: z.optional(text(FEATURE_CAPS.architecture)),
  boundaries: z.optional(text(FEATURE_CAPS.boundaries)),
  knowledge_paths: listOf(projectFile, FEATURE_CAPS.knowledgePaths),
  context_files: listOf(ContextFileOnDisk, FEATURE_CAPS.contextFiles),
  dependencies: listOf(text(FEATURE_CAPS.dependency), FEATURE_CAPS.dependencies),
  learnings: listOf(LearningOnDisk, FEATURE_CAPS.learnings),
  created: z.optional(z.string({ error: 'must be a time such as 2026-02-07T14:30:00Z' })),
})

/** WHAT is built: a named area of the project. Its current state is computed from its tasks, never stored. */
export interface Feature {
  /** Immutable: memory is kept under it. */
  name: string
  displayName?: string | undefined
  acronym?: string | undefined
  description?: string | undefined
  architecture?: string | undefined
  /** What is in and what is out of scope. */
  boundaries?: string | undefined
  knowledgePaths: string[]
  contextFiles: ContextFile[]
  dependencies: string[]
  learnings: FeatureLearning[]
  created?: string | undefined
}

/** A field not given is kept, `null` clears it. Learnings have their own door: the learning store. */
export type FeaturePatch = {
  [Field in Exclude<keyof Feature, 'name' | 'created' | 'learnings'>]?: Feature[Field] | null | undefined
}
export type NewFeature = FeaturePatch & { name: string }

export const FEATURES: EntryKind<Feature> = {
  file: 'features.yaml',
  rootKey: 'features',
  noun: 'feature',
  identity: 'name',
  fields: {
    name: 'name',
    displayName: 'display_name',
    acronym: 'acronym',
    description: 'description',
    architecture: 'architecture',
    boundaries: 'boundaries',
    knowledgePaths: 'knowledge_paths',
    contextFiles: 'context_files',
    dependencies: 'dependencies',
    learnings: 'learnings',
    created: 'created',
  },
  encode: {
    learnings: learningToDisk,
    contextFiles: ({ path, source, touchCount }: ContextFile) =>
      source === 'human' && touchCount === 0 ? path : { path, source, touch_count: touchCount },
  },
  schema: z.pipe(
    OnDisk,
    z.transform(
      (raw): Feature => ({
        name: raw.name,
        displayName: raw.display_name,
        acronym: raw.acronym,
        description: raw.description,
        architecture: raw.architecture,
        boundaries: raw.boundaries,
        knowledgePaths: raw.knowledge_paths,
        contextFiles: raw.context_files,
        dependencies: raw.dependencies,
        learnings: raw.learnings,
        created: raw.created,
      }),
    ),
  ),
}

/** Why a feature cannot go. */
export function stillUsed(name: string, tasks: readonly number[]): RalphError {
  const some = tasks.slice(0, 10).join(', ') + (tasks.length > 10 ? ', …' : '')
  return new RalphError('conflict', `feature "${name}" still has ${plural(tasks.length, 'task')} (${some})`, {
    hint: 'Move them (ralph task set ID --feature OTHER) or remove them first.',
  })
}
