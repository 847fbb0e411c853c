import type { Command } from 'commander'
import { registerCare } from './memory/care.ts'
import { registerErrors } from './memory/errors.ts'
import { registerRecall, registerSearch } from './memory/recall.ts'
import { registerRecord } from './memory/record.ts'

/** A search is what is waited for most: it does without the others, which take 2 ms. */
export function register(memory: Command, named?: string): void {
  if (named === 'search') {
    registerSearch(memory)
    return
  }
  registerRecord(memory)
  registerRecall(memory)
  registerErrors(memory)
  registerCare(memory)
}
