import type { Command } from 'commander'
import { registerAsking } from './knowledge/asking.ts'
import { registerCapture } from './knowledge/capture.ts'
import { registerKeeping } from './knowledge/keeping.ts'

export function register(knowledge: Command): void {
  registerCapture(knowledge)
  registerAsking(knowledge)
  registerKeeping(knowledge)
}
