import { RalphError } from '../errors.ts'
import { type Address, idOf, shortIdOf } from '../lookup/address.ts'
import { type Candidate, find } from '../lookup/find.ts'
import { isOfRun } from '../person.ts'
import type { Ralph } from '../ralph.ts'
import { shellWord } from '../text/shell-word.ts'
import { ambiguousId, type IdKind } from '../text/short-id.ts'
import { featureAtHand } from './current-feature.ts'
import type { Output } from './output.ts'

interface NamedOptions {
  /** Only of this feature. */
  feature?: string | undefined
  /** Only of this kind. */
  only?: IdKind | undefined
}

/** What a typed id means. Several candidates are told apart by the feature at hand, which is said, or by whoever typed it. */
export async function named(
  ralph: Ralph,
  typed: string,
  { feature, only }: NamedOptions,
  out: Output,
): Promise<Address> {
  const inRun = await isOfRun(ralph.config)
  const candidates = await find(ralph, typed, { feature, only, inRun })
  const [first, ...others] = candidates
  if (!first) throw unknownId(typed, { feature, only }, inRun)
  if (others.length === 0) return first.address
  const near = await nearest(ralph, candidates)
  if (!near) {
    const alike = candidates.map(({ address, line }) => ({ ...idOf(address), line }))
    throw ambiguousId(typed, alike)
  }
  out.talk(out.talkStyle('dim', `${shortIdOf(near.candidate.address)} of ${near.feature} (${near.reason})`))
  return near.candidate.address
}

/** Of things of one kind in several features, that of the feature at hand. */
async function nearest(ralph: Ralph, candidates: readonly Candidate[]) {
  const [kind, ...kinds] = new Set(candidates.map(({ address }) => address.kind))
  if (kinds.length > 0 || (kind !== 'iteration' && kind !== 'learning' && kind !== 'error')) return undefined
  const current = await featureAtHand(ralph)
  const here = candidates.filter(({ address }) => 'feature' in address && address.feature === current?.name)
  if (!current || here.length !== 1) return undefined
  return { candidate: here[0]!, feature: current.name, reason: current.reason }
}

function unknownId(typed: string, { feature, only }: NamedOptions, inRun: boolean): RalphError {
  if (only !== undefined) {
    const list = `ralph ${LISTS[only] ?? 'search WORDS'}`
    const [where, whose] =
      feature === undefined
        ? ['', '']
        : [` in ${JSON.stringify(feature)}`, ` --feature ${shellWord(feature)}`]
    return new RalphError('not_found', `no ${only} ${typed}${where}`, {
      hint: `See the ids with: ${list}${whose}`,
    })
  }
  const unseen = inRun ? '. Project knowledge is not looked through in a run' : ''
  return new RalphError('not_found', `nothing here has the id ${JSON.stringify(typed)}${unseen}`, {
    hint: 'Find it with: ralph search WORDS. Ids look like l-hc79fee8 (a learning) or i-auth-7 (an iteration).',
  })
}

/** Where the ids of a kind are shown. */
const LISTS: Partial<Record<IdKind, string>> = { learning: 'learnings list', task: 'task list' }
