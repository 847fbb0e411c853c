import type { Command } from 'commander'
import { registerCare } from './memory/care.ts'
import { registerErrors } from './memory/errors.ts'
import { registerRecall } from './memory/recall.ts'
import { registerRecord } from './memory/record.ts'

export function register(program: Command): void {
  const memory = program.command('memory').description('what earlier iterations on a feature did and learned')
  registerRecord(memory)
  registerRecall(memory)
  registerErrors(memory)
  registerCare(memory)
}
