import type { IterationRecord, RunMemory } from '../feature-memory/record.ts'

/** Of a run that went without memory, and why; undefined for every other. */
export function memoryRemark({ memory }: Pick<IterationRecord, 'memory'>): string | undefined {
  if (!memory || memory.given) return undefined
  return memory.holdout === undefined ? 'without memory' : 'without memory (hold-out)'
}

/** Of a run that is about to begin: that a draw keeps memory from it, and which. */
export function drawnRemark({ given, holdout }: RunMemory): string | undefined {
  return given || holdout === undefined ? undefined : `without memory: drawn by hold-out ${holdout}`
}
