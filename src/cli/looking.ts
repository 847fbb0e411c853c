import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Config, resolveConfig } from '../config.ts'
import { sessionsDir } from '../hooks/places.ts'
import { Output } from './output.ts'

export interface Looking<Options> {
  config: Config
  options: Options & { project?: string; json?: boolean }
  out: Output
}

/**
 * A command that only looks, at a glance: it opens nothing, so nothing of it is loaded, and broken settings do not end it.
 * Takes the same options as every other.
 */
export function lookingCommand<Options>(
  command: Command,
  handler: (looking: Looking<Options>) => Promise<void>,
): Command {
  return command
    .option('--project <dir>', 'the project (default: nearest folder with .ralph or .git)')
    .option('--json', 'print JSON for programs')
    .action(async () => {
      const options = command.opts() as Looking<Options>['options']
      const config = await resolveConfig({ project: options.project, leaveOutBroken: true })
      await handler({ config, options, out: new Output(options) })
      // Loaded only where a session may have been left without a record.
      if (existsSync(sessionsDir(config))) (await import('../hooks/forsaken.ts')).recordForsakenLater(config)
    })
}
