import type { ServiceFailure } from './agent-run.ts'
import type { ResultEvent } from './events.ts'

/** The end of a run that a program tells in its own words; whatever is not told is not known. */
export function closing(told: Partial<ResultEvent> & Pick<ResultEvent, 'text'>): ResultEvent {
  return {
    subtype: 'success',
    isError: false,
    errors: [],
    terminalReason: undefined,
    service: undefined,
    durationMs: undefined,
    totalCostUsd: undefined,
    totalUsage: undefined,
    recentCostUsd: undefined,
    recentUsage: undefined,
    turnUsage: undefined,
    ...told,
  }
}

/** The end of a run by the model's service, or by a limit. */
export function closedByService(service: ServiceFailure, told: Partial<ResultEvent> = {}): ResultEvent {
  const subtype = 'error_during_execution'
  return closing({ subtype, isError: true, text: service.words, errors: [service.words], service, ...told })
}
