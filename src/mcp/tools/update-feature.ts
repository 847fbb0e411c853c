import { z } from 'zod'
import type { FeaturePatch } from '../../board/feature.ts'
import { RalphError } from '../../errors.ts'
import { sanitise } from '../../text/sanitise.ts'
import { cited, cut } from '../iteration-view.ts'
import { defineTool } from '../tool.ts'

/** Refused before anything is done with them; the board keeps far fewer. */
const MOST_ITEMS = 100

const prose = (what: string) => z.string().nullish().describe(`${what}. null clears it`)
const list = (what: string) =>
  z.array(z.string()).max(MOST_ITEMS).nullish().describe(`${what}. Replaces the list; null clears it`)

const FIELDS = {
  display_name: 'displayName',
  description: 'description',
  architecture: 'architecture',
  boundaries: 'boundaries',
  knowledge_paths: 'knowledgePaths',
  dependencies: 'dependencies',
} as const

/** A field that is not given is kept: an agent that knows one thing cannot wipe out the rest. */
const updateFeature = defineTool({
  name: 'update_feature',
  title: 'Update the feature',
  description:
    'Correct or complete what is written about this feature. Give only the fields that change; the others are kept. Learnings have their own tools.',
  kind: 'change',
  input: {
    display_name: prose('The name people see'),
    description: prose('What the feature is for, up to 3,000 characters'),
    architecture: prose('How it is built, up to 3,000 characters'),
    boundaries: prose('What is in and out of scope, up to 1,500 characters'),
    knowledge_paths: list('Up to 10 files, relative to the project, that explain the feature'),
    dependencies: list('Up to 20 things it depends on'),
  },
  output: { feature: z.string(), changed: z.array(z.string()) },
  async run({ ralph, feature }, args) {
    const given = Object.entries(args).filter(([key, value]) => key in FIELDS && value !== undefined)
    if (given.length === 0) {
      throw new RalphError('invalid_input', 'nothing to change was given', {
        hint: 'Give at least one field, e.g. architecture: "Express middleware in src/auth".',
      })
    }
    const patch: Record<string, unknown> = {}
    for (const [key, value] of given) patch[FIELDS[key as keyof typeof FIELDS]] = cleaned(value)
    await ralph.board.patchFeature(feature, patch as FeaturePatch)
    const changed = given.map(([key]) => key)
    const name = cut(feature, 100)
    return {
      structured: { feature: name, changed },
      text: `Updated ${changed.join(', ')} of ${cited(name)}.`,
    }
  },
})

/** What an agent writes is stored without orders to whoever reads it; the board masks secrets. */
function cleaned(value: string | readonly string[] | null | undefined): string | string[] | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? sanitise(value) : value.map(sanitise)
}

export const featureTools = [updateFeature]
