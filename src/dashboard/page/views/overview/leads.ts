import type { WaitingKind } from '../../../../overview/overview.ts'
import { featureHref } from '../../kit/memory-address.ts'
import { addressOf } from '../../kit/path.ts'

interface Leading {
  kind: WaitingKind
  feature?: string | undefined
  id?: string | undefined
}

/** Where somebody settles what waits. */
export function whereToSettle({ kind, feature = '', id = '' }: Leading): string {
  switch (kind) {
    case 'gate':
      return addressOf('/gates', id)
    case 'conflict':
      return featureHref(feature, { tab: 'learnings' }) // contradictions come first there
    case 'learnings':
      return featureHref(feature, { tab: 'learnings', learning: id })
    case 'due_review':
      return featureHref(feature)
    case 'trust':
      return '/settings?show=trust'
    case 'copy':
    case 'board':
      return '/doctor'
  }
}
