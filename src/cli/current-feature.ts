import { type CurrentFeature, currentFeature, featuresInProgress } from '../board/current-feature.ts'
import { isRalphError, UsageError } from '../errors.ts'
import type { Ralph } from '../ralph.ts'
import { searchableFeatures } from '../recall/searchable.ts'
import { shellWord } from '../text/shell-word.ts'
import type { Output } from './output.ts'

/** For the help of a command that goes on without being told. */
export const AT_HAND = '(default: the one in use, of the branch, or under way)'

/** Which feature whoever types here works on: named for the session, chosen, told by the branch, or the only one under way. */
export async function featureAtHand(ralph: Ralph): Promise<CurrentFeature | undefined> {
  const { project, session } = ralph.config
  const features = await searchableFeatures(ralph)
  const question = { project, features, session: session.feature }
  const named = currentFeature(question)
  if (named.by !== 'default') return named
  if (features.length === 1) return { name: features[0]!, by: 'default', reason: 'the only one' }
  const underWay = await inProgress(ralph, features)
  const found = currentFeature({ ...question, inProgress: () => underWay })
  return found.by === 'default' ? undefined : found
}

/** A board that somebody is editing tells nothing. */
async function inProgress({ board }: Ralph, features: readonly string[]): Promise<string[]> {
  try {
    return featuresInProgress(features, await board.tasks())
  } catch (error) {
    if (!isRalphError(error)) throw error
    return []
  }
}

/** For a command that is about one feature: the given one, else the one at hand, which is said. */
export async function featureOrAtHand(ralph: Ralph, given: string | undefined, out: Output): Promise<string> {
  if (given !== undefined) return given
  const found = await featureAtHand(ralph)
  if (found) {
    out.talk(out.talkStyle('dim', `feature ${found.name} (${found.reason})`))
    return found.name
  }
  const features = await searchableFeatures(ralph)
  if (features.length === 0)
    throw new UsageError(
      'which feature? There is none in this project yet',
      'Name it with --feature NAME, or add one: ralph feature add NAME',
    )
  const [first] = features
  throw new UsageError(
    `which feature? There are: ${features.slice(0, 20).join(', ')}${features.length > 20 ? ', …' : ''}`,
    `Name it with --feature ${shellWord(first!)}, or choose one for this folder: ralph feature use ${shellWord(first!)}`,
  )
}
