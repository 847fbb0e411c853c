import type { Command } from 'commander'
import { registerAsking } from './knowledge/asking.ts'
import { registerCapture } from './knowledge/capture.ts'
import { registerKeeping } from './knowledge/keeping.ts'

export function register(program: Command): void {
  const knowledge = program
    .command('knowledge')
    .description(
      'what one project learned, for the next: failures with solutions, and what people said at gates',
    )
  registerCapture(knowledge)
  registerAsking(knowledge)
  registerKeeping(knowledge)
}
