import type { Command } from 'commander'
import type { FeatureStatistics } from '../../feature-memory/feature-memory.ts'
import { ragLine } from '../../health/status.ts'
import type { countSilences } from '../../hooks/silence.ts'
import { plural } from '../../text/plural.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { table } from '../table.ts'

export function register(status: Command): void {
  withExamples(status, 'ralph status', 'ralph status --json')
  ralphCommand(status, async ({ ralph, out }) => {
    const { rag, storage, disk } = await ralph.health.status()
    const features: FeatureStatistics[] = []
    for (const feature of await ralph.featureMemory.features())
      features.push(await ralph.featureMemory.statistics(feature))
    const { countSilences } = await import('../../hooks/silence.ts')
    const silences = countSilences(ralph.config)
    const { path: project, id, state, elsewhere, problem } = ralph.identity.look()
    const identity = { id: id ?? null, state, elsewhere }
    out.result({ project, identity, rag, storage, features, disk, hookSilences: silences }, () =>
      [
        out.style(rag.available ? 'green' : 'yellow', ragLine(rag)),
        `Storage: ${storage.detail}${storage.hint ? ` → ${storage.hint}` : ''}`,
        `Project: ${project}`,
        ...(problem ? [`  ${problem.message} → ${problem.hint}`] : []),
        features.length === 0
          ? 'No iterations recorded yet.'
          : table(
              ['feature', 'iterations', 'journal'],
              features.map(({ feature, iterations, bytes }) => [feature, iterations, size(bytes)]),
            ),
        `On disk: journals ${size(disk.journals)}, index ${size(disk.index)}, user data ${size(disk.userData)}`,
        ...silenceLines(silences),
      ].join('\n'),
    )
  })
}

/** Said only where it happened: in the session itself nobody was told. */
function silenceLines({ days, late, failed }: ReturnType<typeof countSilences>): string[] {
  if (late + failed === 0) return []
  const whys = [...(late > 0 ? [`${late} too late`] : []), ...(failed > 0 ? [`${failed} failed`] : [])]
  const hint = late > 0 ? ' → RALPH_HOOK_DEADLINE_MS gives them more than 270 ms' : ' → ralph doctor'
  return [
    `Hooks: silent ${plural(late + failed, 'time')} in the last ${days} days (${whys.join(', ')})${hint}`,
  ]
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`
}
