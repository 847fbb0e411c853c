import { truncate } from '../text/truncate.ts'

/** What a feature says about itself; the board supplies it. */
export interface FeatureDescription {
  name: string
  displayName?: string | undefined
  description?: string | undefined
  architecture?: string | undefined
  boundaries?: string | undefined
  dependencies?: readonly string[] | undefined
  currentState?: string | undefined
}

const MAX_CHARACTERS = 6_000
/** A thinner description would only be noise in the index. */
const MIN_DESCRIPTION = 100

/** The feature itself as something to find, or undefined while there is too little to say. */
export function snapshotText(feature: FeatureDescription): string | undefined {
  if ((feature.description ?? '').trim().length < MIN_DESCRIPTION) return undefined
  const sections: [string, string | undefined][] = [
    ['Feature', feature.displayName ?? feature.name],
    ['Description', feature.description],
    ['Architecture', feature.architecture],
    ['Boundaries', feature.boundaries],
    ['Dependencies', feature.dependencies?.join('; ')],
    ['Current state', feature.currentState],
  ]
  const text = sections.filter(([, body]) => body?.trim()).map(([title, body]) => `${title}: ${body!.trim()}`)
  return truncate(text.join('\n'), MAX_CHARACTERS)
}
