import type { Command } from 'commander'
import { registerCare } from './memory/care.ts'
import { registerErrors } from './memory/errors.ts'
import { registerRecall } from './memory/recall.ts'
import { registerRecord } from './memory/record.ts'

export function register(memory: Command): void {
  registerRecord(memory)
  registerRecall(memory)
  registerErrors(memory)
  registerCare(memory)
}
