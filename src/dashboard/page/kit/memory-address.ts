import type { Address } from '../../../lookup/address.ts'
import type { MemoryAddress, MemoryKind } from '../../../recall/recollection.ts'
import { addressOf } from './path.ts'

/** What each kind of memory is called. */
export const KIND_NAMES: Record<MemoryKind, string> = {
  iteration: 'Iterations',
  learning: 'Learnings',
  feature: 'Features',
  error: 'Errors',
  pattern: 'Knowledge',
  exchange: 'Conversations',
  document: 'Documents',
}

/** Where a memory is shown. */
export function memoryHref(address: Address): string {
  switch (address.kind) {
    case 'iteration':
      return iterationHref(address.feature, address.iterationNumber, address.recordId)
    case 'learning':
      return learningHref(address.feature, address.learningId)
    case 'feature':
      return addressOf('/features', address.feature)
    case 'error':
      return errorHref(address.feature, address.errorId)
    case 'pattern':
      return addressOf('/knowledge', address.entryId)
    case 'exchange':
      return exchangeHref(address.exchangeId)
    case 'document':
      return pieceHref(address.pieceId)
    case 'conversation':
      return conversationHref(address.conversationId)
    case 'receipt':
      return addressOf('/receipts', address.receiptId)
    case 'gate':
      return addressOf('/gates', address.gateId)
    case 'task':
      return featureHref(address.feature, { tab: 'tasks' })
  }
}

/** What a person calls it. */
export function memoryName(address: MemoryAddress): string {
  switch (address.kind) {
    case 'iteration':
      return `${address.feature} · iteration ${address.iterationNumber}`
    case 'learning':
      return `${address.feature} · learning`
    case 'feature':
      return `${address.feature} · the feature`
    case 'error':
      return `${address.feature} · error`
    case 'pattern':
      return 'project knowledge'
    case 'exchange':
      return 'conversation'
    case 'document':
      return 'document'
  }
}

export function iterationHref(feature: string, iterationNumber: number, recordId?: string): string {
  const address = addressOf('/features', feature, 'iterations', iterationNumber)
  return recordId === undefined ? address : `${address}?${new URLSearchParams({ id: recordId })}`
}

/** A conversation is other programs' by its id, which may hold any character: in an address it stands behind the mark. */
export function conversationHref(id: string): string {
  return `/conversations/one?${new URLSearchParams({ id })}`
}

export function exchangeHref(id: string): string {
  return `/conversations/exchange?${new URLSearchParams({ id })}`
}

function pieceHref(id: string): string {
  return addressOf('/documents', id)
}

/** A tab of a feature, with what is chosen in it. */
export function featureHref(feature: string, parts: Record<string, string> = {}): string {
  const query = new URLSearchParams(parts)
  return `${addressOf('/features', feature)}${query.size > 0 ? `?${query}` : ''}`
}

function errorHref(feature: string, error: string): string {
  return featureHref(feature, { tab: 'errors', error })
}

function learningHref(feature: string, learning: string): string {
  return featureHref(feature, { tab: 'learnings', learning })
}

/** Where the memory is shown that a receipt names in words, e.g. "iteration 7"; undefined where that is not known. */
export function sourceHref(source: string, feature: string | undefined): string | undefined {
  const [, kind, name] =
    /^(iteration|learning|error|knowledge|conversation|exchange) (.+)$/.exec(source) ?? []
  if (name === undefined) return undefined
  if (kind === 'knowledge') return addressOf('/knowledge', name)
  if (kind === 'conversation') return conversationHref(name)
  if (kind === 'exchange') return exchangeHref(name)
  if (feature === undefined) return undefined
  if (kind === 'learning') return learningHref(feature, name)
  if (kind === 'error') return errorHref(feature, name)
  return /^\d+$/.test(name) ? iterationHref(feature, Number(name)) : undefined
}
