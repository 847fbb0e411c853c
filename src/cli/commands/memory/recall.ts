import { type Command, Option } from 'commander'
import { FINDING_TYPES, type FindingType } from '../../../feature-memory/finding.ts'
import { OUTCOMES, type Outcome } from '../../../feature-memory/record.ts'
import { collectOneOf, parseWholeNumber, ralphCommand, typedQuestion, withExamples } from '../../command.ts'
import { AT_HAND, featureOrAtHand } from '../../current-feature.ts'
import { findingsText, iterationsText } from '../../iteration-text.ts'
import { withLimits, withTimes } from '../../search-flags.ts'
import { table } from '../../table.ts'
import { explainEmpty } from './explain-empty.ts'

interface FeatureOptions {
  feature?: string
}
interface SearchFlags extends FeatureOptions {
  limit?: number
  minScore?: number
  outcome?: Outcome[]
  taskId?: number
  since?: string
  until?: string
  file?: string
  type?: FindingType[]
}

export function registerRecall(memory: Command): void {
  registerSearch(memory)
  registerRecent(memory)
  registerFiles(memory)
  registerFailures(memory)
}

export function registerSearch(memory: Command): void {
  const search = memory
    .command('search <words...>')
    .description('find iterations, learnings and the feature itself by meaning and by words')
    .option('--feature <name>', `the feature to search; no other is looked at ${AT_HAND}`)
  withLimits(search)
    .option(
      '--type <type...>',
      `only these: ${FINDING_TYPES.join(', ')}`,
      collectOneOf('--type', FINDING_TYPES),
    )
    .option(
      '--outcome <outcome...>',
      `only these: ${OUTCOMES.join(', ')}`,
      collectOneOf('--outcome', OUTCOMES),
    )
    .option('--task-id <number>', 'only this task', parseWholeNumber('--task-id'))
  withTimes(search).option('--file <path>', 'only what touched this file or speaks of it')
  withExamples(
    search,
    'ralph memory search "why did the login form break" --feature auth',
    'ralph memory search TS2345 --feature auth --outcome failure --json',
    'ralph memory search "session cookies" --feature auth --type learning',
  )
  ralphCommand<SearchFlags>(search, async ({ ralph, options, out, signal }, ...words) => {
    const query = typedQuestion(words)
    const { feature: given, project: _project, json: _json, type: types, ...filters } = options
    const feature = await featureOrAtHand(ralph, given, out)
    const results = await ralph.featureMemory.recall(feature, query, { ...filters, types, signal })
    out.result({ results }, () => findingsText(out, results))
    if (results.length === 0) await explainEmpty(out, ralph, feature, 'Nothing in memory matches.')
  })
}

function registerRecent(memory: Command): void {
  const recent = memory
    .command('recent')
    .description('the latest iterations, newest first')
    .option('--feature <name>', `the feature ${AT_HAND}`)
    .option('--count <number>', 'how many (default 5)', parseWholeNumber('--count', 1))
    // As it is called elsewhere.
    .addOption(new Option('--limit <number>').argParser(parseWholeNumber('--limit', 1)).hideHelp())
  withExamples(recent, 'ralph memory recent --feature auth --count 3')
  ralphCommand<FeatureOptions & { count?: number; limit?: number }>(
    recent,
    async ({ ralph, options, out }) => {
      const feature = await featureOrAtHand(ralph, options.feature, out)
      const iterations = await ralph.featureMemory.recent(feature, options.count ?? options.limit)
      out.result({ iterations }, () => iterationsText(out, iterations))
      if (iterations.length === 0) await explainEmpty(out, ralph, feature, 'No iterations yet.')
    },
  )
}

function registerFiles(memory: Command): void {
  const files = memory
    .command('files')
    .description('every file the iterations touched, most touched first')
    .option('--feature <name>', `the feature ${AT_HAND}`)
  withExamples(files, 'ralph memory files --feature auth')
  ralphCommand<FeatureOptions>(files, async ({ ralph, options, out }) => {
    const feature = await featureOrAtHand(ralph, options.feature, out)
    const touched = await ralph.featureMemory.files(feature)
    out.result({ files: touched }, () =>
      table(
        ['file', 'touches', 'last', 'iteration'],
        touched.map((file) => [file.path, file.touches, file.lastAction, file.lastIteration]),
      ),
    )
    if (touched.length === 0) await explainEmpty(out, ralph, feature, 'No files yet.')
  })
}

function registerFailures(memory: Command): void {
  const failures = memory
    .command('failures')
    .description('iterations that worked to their end without getting there, newest first')
    .option('--feature <name>', `the feature ${AT_HAND}`)
    .option('--task-id <number>', 'only this task', parseWholeNumber('--task-id'))
    .option('--limit <number>', 'how many (default: search.limit)', parseWholeNumber('--limit', 1))
  withExamples(failures, 'ralph memory failures --feature auth --task-id 7')
  ralphCommand<FeatureOptions & { taskId?: number; limit?: number }>(
    failures,
    async ({ ralph, options, out }) => {
      const limit = options.limit ?? ralph.config.settings.search.limit
      const feature = await featureOrAtHand(ralph, options.feature, out)
      const iterations = await ralph.featureMemory.failedAttempts(feature, options.taskId, limit)
      out.result({ iterations }, () => iterationsText(out, iterations))
      if (iterations.length === 0) await explainEmpty(out, ralph, feature, 'No failed iterations.')
    },
  )
}
