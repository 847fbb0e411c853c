import type { MemoryAddress } from '../recall/recollection.ts'
import { type IdKind, shortId } from '../text/short-id.ts'

/** Where anything lies that has an id. */
export type Address =
  | Exclude<MemoryAddress, { kind: 'iteration' }>
  /** `recordId` tells apart two of the same number, as after a merge. */
  | { kind: 'iteration'; feature: string; iterationNumber: number; recordId?: string }
  | { kind: 'task'; feature: string; taskId: number }
  | { kind: 'conversation'; conversationId: string }
  | { kind: 'receipt'; receiptId: string }
  | { kind: 'gate'; gateId: string }

/** What people type to see it. */
export function shortIdOf(address: Address): string {
  const { kind, id } = idOf(address)
  return shortId(kind, id)
}

/** The same in two parts, the id in full. */
export function idOf(address: Address): { kind: IdKind; id: string } {
  switch (address.kind) {
    case 'iteration': {
      const { feature, iterationNumber, recordId } = address
      return {
        kind: 'iteration',
        id: `${feature}-${iterationNumber}${recordId === undefined ? '' : `.${recordId}`}`,
      }
    }
    case 'learning':
      return { kind: 'learning', id: address.learningId }
    case 'error':
      return { kind: 'error', id: address.errorId }
    case 'feature':
      return { kind: 'feature', id: address.feature }
    case 'task':
      return { kind: 'task', id: String(address.taskId) }
    case 'pattern':
      return { kind: 'knowledge', id: address.entryId }
    case 'conversation':
      return { kind: 'conversation', id: address.conversationId }
    case 'exchange':
      return { kind: 'exchange', id: address.exchangeId }
    case 'document':
      return { kind: 'piece', id: address.pieceId }
    case 'receipt':
      return { kind: 'receipt', id: address.receiptId }
    case 'gate':
      return { kind: 'gate', id: address.gateId }
  }
}
