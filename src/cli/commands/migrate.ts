import type { Command } from 'commander'
import { type MigrationReport, migrate } from '../../migrate/migrate.ts'
import { BACKENDS, type Backend } from '../../migrate/plan.ts'
import { requirePerson } from '../../person.ts'
import { plural } from '../../text/plural.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'

interface MigrateFlags {
  to: Backend
  from?: Backend
  url?: string
  replace?: boolean
}

export function register(command: Command): void {
  command
    .requiredOption('--to <place>', `${BACKENDS.join(', ')}`, parseOneOf('--to', BACKENDS))
    .option('--from <place>', 'where the data is (default: as set)', parseOneOf('--from', BACKENDS))
    .option('--url <url>', 'of the target (default: index.url, storage.url)')
    .option('--replace', 'what is yours in the target goes first; the rest of it stays')
  withExamples(
    command,
    'ralph migrate --to qdrant --url http://127.0.0.1:6333',
    'ralph migrate --to postgres --url postgres://ralph@db.example/ralph',
    'ralph migrate --to sqlite --from postgres --replace',
  )
  ralphCommand<MigrateFlags>(command, async ({ ralph, options, out, signal }) => {
    const { to, from, url, replace } = options
    const { project, home, settings } = ralph.config
    await requirePerson(ralph.config, 'move what is kept to another server')
    const report = await migrate({
      project,
      home,
      settings,
      to,
      from,
      url,
      replace,
      signal,
      onNotice: out.notice,
      onProgress: ({ part, step, done, total }) => {
        out.event({ kind: 'progress', part, step, done, total })
        out.progress(`${part}: ${step} ${done}${total === undefined ? '' : ` of ${total}`}`)
      },
    })
    if (out.json) out.event({ kind: 'migrated', ...report })
    else out.say(reportText(report, ralph.config.paths.userFile))
    if (!report.verified) process.exitCode = 1
  })
}

function reportText(report: MigrationReport, settingsFile: string): string {
  const { storage, filled, index, verified, settings } = report
  const lines: string[] = []
  if (storage) {
    const rows = storage.tables.reduce((sum, { target }) => sum + target, 0)
    lines.push(
      `Storage: ${rows} rows in ${storage.tables.length} tables, ${storage.written} written now${storage.resumed ? ' (taken up again)' : ''}.`,
      storage.verified
        ? `  Every row was compared: all are there${storage.merged ? ', beside what was there before' : ''}.`
        : `  Not all there yet, somebody is writing: ${unequal(storage.tables) || 'rows change'}. Run it again when nobody is.`,
    )
  }
  if (filled)
    lines.push(
      filled.problem === undefined
        ? `Its index: ${filled.carried} vectors taken over, ${filled.embedded} made.`
        : `Its index is built by whoever first asks it: ${filled.problem}`,
    )
  if (index) {
    const documents = index.collections.reduce((sum, { target }) => sum + target, 0)
    lines.push(
      `Index: ${documents} documents in ${plural(index.collections.length, 'collection')}; ${index.carried} vectors taken over, ${index.embedded} made.`,
    )
    if (index.sourceProblem)
      lines.push(`  Not compared, the old index cannot be read: ${index.sourceProblem}`)
    else
      lines.push(
        `  ${index.sampled.same} of ${index.sampled.searches} sampled searches gave the same results.`,
      )
    if (!index.verified)
      lines.push(`  Documents are missing or found differently: ${unequal(index.collections)}`)
  }
  if (!verified) return lines.join('\n')
  return [
    ...lines,
    '',
    `Nothing is switched over yet. To do so, put this into ${settingsFile}:`,
    JSON.stringify(settings, null, 2),
    ...(storage
      ? [
          'What is written until then is not there yet: stop the writers and run this again before you switch.',
        ]
      : []),
    ...(index
      ? ['Other projects: run this there too, or let each build its index when it is first asked.']
      : []),
  ].join('\n')
}

function unequal(
  compared: readonly { table?: string; name?: string; source: number; target: number }[],
): string {
  const different = compared.filter(({ source, target }) => source !== target)
  return (
    different.map(({ table, name, source, target }) => `${table ?? name} ${source} → ${target}`).join(', ') ||
    'searches'
  )
}
