import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { once } from '../../deferred.ts'
import { initCommand } from '../../files/where-to-init.ts'
import { countSilences } from '../../hooks/silence.ts'
import { glance } from '../../overview/glance.ts'
import type { Ralph } from '../../ralph.ts'
import { withExamples } from '../examples.ts'
import { lookingCommand } from '../looking.ts'
import { statusText } from '../status-text.ts'

export function register(status: Command): void {
  status.option('--verbose', 'also models, sizes, versions and where everything lies')
  withExamples(status, 'ralph status', 'ralph status --verbose', 'ralph status --json')
  lookingCommand<{ verbose?: boolean }>(status, async ({ config, options, out }) => {
    const opened: Ralph[] = []
    const open = once(async () => {
      const { openRalph } = await import('../../ralph.ts')
      const { project, home } = config
      const ralph = await openRalph({
        project,
        home,
        leaveOutBroken: true,
        onNotice: () => undefined,
        via: 'command',
      })
      opened.push(ralph)
      return ralph
    })
    try {
      const seen = await glance(config, open)
      const silences = countSilences(config)
      const details = options.verbose || options.json ? await detailsOf(await open(), config) : undefined
      const { project, waiting, features, ...rest } = seen
      const named = features.map(({ name, ...feature }) => ({ feature: name, ...feature }))
      out.result({ project, ...details, features: named, waiting, ...rest, hookSilences: silences }, () =>
        statusText(out, seen, {
          silences,
          init: initCommand(config),
          details: options.verbose ? details : undefined,
        }),
      )
    } finally {
      for (const ralph of opened) await ralph.close()
    }
  })
}

export type StatusDetails = Awaited<ReturnType<typeof detailsOf>>

/** What is behind it, for who wants to know. */
async function detailsOf(ralph: Ralph, { home }: Config) {
  const { rag, storage, languageModel, documents, disk } = await ralph.health.status()
  const { id, state, elsewhere } = ralph.identity.look()
  const known = { id: id ?? null, state, elsewhere }
  return { identity: known, rag, storage, languageModel, documents, disk, home }
}
