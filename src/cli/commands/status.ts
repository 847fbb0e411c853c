import type { Command } from 'commander'
import type { FeatureStatistics } from '../../feature-memory/feature-memory.ts'
import { ragLine } from '../../health/status.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { table } from '../table.ts'

export function register(status: Command): void {
  withExamples(status, 'ralph status', 'ralph status --json')
  ralphCommand(status, async ({ ralph, out }) => {
    const { rag, storage, disk } = await ralph.health.status()
    const features: FeatureStatistics[] = []
    for (const feature of await ralph.featureMemory.features())
      features.push(await ralph.featureMemory.statistics(feature))
    out.result({ project: ralph.config.project, rag, storage, features, disk }, () =>
      [
        out.style(rag.available ? 'green' : 'yellow', ragLine(rag)),
        `Storage: ${storage.detail}${storage.hint ? ` → ${storage.hint}` : ''}`,
        `Project: ${ralph.config.project}`,
        features.length === 0
          ? 'No iterations recorded yet.'
          : table(
              ['feature', 'iterations', 'journal'],
              features.map(({ feature, iterations, bytes }) => [feature, iterations, size(bytes)]),
            ),
        `On disk: journals ${size(disk.journals)}, index ${size(disk.index)}, user data ${size(disk.userData)}`,
      ].join('\n'),
    )
  })
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`
}
