import type { MemoryAddress, MemoryKind } from '../../../recall/recollection.ts'
import { addressOf } from './address.ts'

/** What each kind of memory is called. */
export const KIND_NAMES: Record<MemoryKind, string> = {
  iteration: 'Iterations',
  learning: 'Learnings',
  feature: 'Features',
  pattern: 'Knowledge',
  exchange: 'Conversations',
}

/** Where a memory is shown. */
export function memoryHref(address: MemoryAddress): string {
  switch (address.kind) {
    case 'iteration':
      return iterationHref(address.feature, address.iterationNumber)
    case 'learning':
      return learningHref(address.feature, address.learningId)
    case 'feature':
      return addressOf('/features', address.feature)
    case 'pattern':
      return addressOf('/knowledge', address.entryId)
    case 'exchange':
      return exchangeHref(address.exchangeId)
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
    case 'pattern':
      return 'project knowledge'
    case 'exchange':
      return 'conversation'
  }
}

export function iterationHref(feature: string, iterationNumber: number): string {
  return addressOf('/features', feature, 'iterations', iterationNumber)
}

/** A conversation is other programs' by its id, which may hold any character: in an address it stands behind the mark. */
export function conversationHref(id: string): string {
  return `/conversations/one?${new URLSearchParams({ id })}`
}

export function exchangeHref(id: string): string {
  return `/conversations/exchange?${new URLSearchParams({ id })}`
}

/** A tab of a feature, with what is chosen in it. */
export function featureHref(feature: string, parts: Record<string, string> = {}): string {
  const query = new URLSearchParams(parts)
  return `${addressOf('/features', feature)}${query.size > 0 ? `?${query}` : ''}`
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
  if (kind === 'error') return featureHref(feature, { tab: 'errors', error: name })
  return /^\d+$/.test(name) ? iterationHref(feature, Number(name)) : undefined
}
