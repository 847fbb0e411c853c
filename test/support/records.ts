import { type IterationRecord, type NewIteration, parseRecord } from '../../src/feature-memory/record.ts'

export function newIteration(fields: Partial<NewIteration> = {}): NewIteration {
  return {
    taskId: 42,
    taskTitle: 'Build login form',
    feature: 'authentication',
    discipline: 'frontend',
    timestamp: '2026-02-07T14:30:00Z',
    outcome: 'failure',
    summary: 'The auth middleware returns another shape than the form expects.',
    ...fields,
  }
}

export function iteration(
  fields: Partial<NewIteration> & { iterationNumber?: number } = {},
): IterationRecord {
  return parseRecord({ iterationNumber: 1, ...newIteration(fields), ...fields })
}
