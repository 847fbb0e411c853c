import type { WaitingKind } from '../../../../overview/overview.ts'
import { addressOf } from '../../kit/address.ts'

interface Leading {
  kind: WaitingKind
  feature?: string | undefined
  id?: string | undefined
}

/** Where somebody settles what waits. */
export function whereToSettle({ kind, feature, id }: Leading): string {
  switch (kind) {
    case 'gate':
      return id === undefined ? '/gates' : addressOf('/gates', id)
    case 'conflict':
    case 'learnings':
      return `${featureAddress(feature ?? '')}?tab=learnings`
    case 'due_review':
      return featureAddress(feature ?? '')
    case 'trust':
      return '/settings?show=trust'
    case 'copy':
    case 'board':
      return '/doctor'
  }
}

export function featureAddress(name: string): string {
  return addressOf('/features', name)
}
