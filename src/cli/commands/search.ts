import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { OUTCOMES, type Outcome } from '../../feature-memory/record.ts'
import { initCommand } from '../../files/where-to-init.ts'
import { shortIdOf } from '../../lookup/address.ts'
import { isOfRun } from '../../person.ts'
import type { Ralph } from '../../ralph.ts'
import { recallEverything } from '../../recall/recall.ts'
import { KINDS_IN_RUNS, MEMORY_KINDS, type MemoryKind, type Recollection } from '../../recall/recollection.ts'
import { searchableFeatures } from '../../recall/searchable.ts'
import { plural } from '../../text/plural.ts'
import { collectOneOf, ralphCommand, typedQuestion, withExamples } from '../command.ts'
import { featureAtHand } from '../current-feature.ts'
import type { Output } from '../output.ts'
import { KIND_WORDS, recollectionsText } from '../recollection-text.ts'
import { withLimits, withTimes } from '../search-flags.ts'
import { readingWidth } from '../width.ts'

/** What people call the kinds; our own names for them are understood too. */
const TYPES: Record<string, MemoryKind> = {
  ...Object.fromEntries(MEMORY_KINDS.map((kind) => [KIND_WORDS[kind], kind])),
  ...Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, kind])),
}
const TYPE_WORDS = MEMORY_KINDS.map((kind) => KIND_WORDS[kind])

interface SearchFlags {
  limit?: number
  minScore?: number
  type?: string[]
  feature?: string
  outcome?: Outcome[]
  since?: string
  until?: string
}

export function register(search: Command): void {
  search
    .argument('<words...>', 'what you look for; quotes are not needed')
    .option('--feature <name>', 'only what is remembered of this feature')
    .option(
      '--type <types>',
      `only these, with commas between: ${TYPE_WORDS.join(', ')}`,
      listOf(collectOneOf('--type', TYPE_WORDS, Object.keys(TYPES))),
    )
  withTimes(search).option(
    '--outcome <outcomes>',
    `only iterations that ended so, with commas between: ${OUTCOMES.join(', ')}`,
    listOf(collectOneOf('--outcome', OUTCOMES)),
  )
  withLimits(search)
  withExamples(
    search,
    'ralph search how did we fix the timeout',
    'ralph search session cookies --type learning,knowledge --since "2 weeks"',
    'ralph search TS2345 --feature auth --json',
  )
  ralphCommand<SearchFlags>(search, async ({ ralph, options, out, signal }, ...words) => {
    const query = typedQuestion(words)
    const { limit, minScore, feature, outcome, since, until } = options
    const inRun = await isOfRun(ralph.config)
    const kinds = options.type?.map((type) => TYPES[type]!)
    const prefer = feature === undefined ? (await featureAtHand(ralph))?.name : undefined
    const { search: byDefault } = ralph.config.settings
    const asked = {
      ...{ kinds, feature, outcome, since, until, inRun, prefer, signal },
      limit: limit ?? byDefault.limit,
      minScore: minScore ?? byDefault.minScore,
    }
    const { results } = await recallEverything(ralph, query, asked)
    const width = readingWidth(process.stdout)
    out.result({ query, ...(prefer !== undefined && { prefer }), results: results.map(resultOf) }, () =>
      recollectionsText(out, results, width),
    )
    if (results.length === 0) await explainNothing(out, ralph, query, { ...options, ...asked })
    else if (process.stdout.isTTY && !out.json)
      out.talk(out.talkStyle('dim', `\nralph show ${shortIdOf(results[0]!.address)} opens the first.`))
    if (inRun) out.talk('Project knowledge was not asked: the loop has told what is known.')
  })
}

/** Several behind one flag, with commas: a flag that took several words would take those that are looked for. */
function listOf<Choice>(collect: (text: string, earlier?: readonly Choice[]) => Choice[]) {
  return (text: string, earlier: readonly Choice[] = []) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .reduce((all: readonly Choice[], one) => collect(one, all), earlier)
}

/** For programs: what `ralph show` takes, where it lies, and why it was found. */
function resultOf({ address, title, text, passage, ...found }: Recollection) {
  const { kind: type, ...place } = address
  const { score, relevance, matched, ...rest } = found
  return {
    ...{ id: shortIdOf(address), type, ...place, ...(title !== '' && { title }) },
    ...{ score, relevance, matched, words: passage.words, ...rest, text },
  }
}

interface Asked {
  kinds?: readonly MemoryKind[] | undefined
  feature?: string | undefined
  outcome?: readonly Outcome[] | undefined
  since?: string | undefined
  until?: string | undefined
  inRun: boolean
  minScore: number
}

/** What was looked through, in words. */
const LOOKED_AT: Record<MemoryKind, string> = {
  iteration: 'iterations',
  learning: 'learnings',
  feature: 'descriptions',
  error: 'errors',
  pattern: 'project knowledge',
  exchange: 'conversations',
  document: 'documents',
}
const OF_FEATURES: readonly MemoryKind[] = ['iteration', 'learning', 'feature', 'error']

/** What was looked through, and what to try instead. */
async function explainNothing(out: Output, ralph: Ralph, query: string, asked: Asked): Promise<void> {
  const { kinds = MEMORY_KINDS, feature, outcome = [], since, until, inRun, minScore } = asked
  const features = feature === undefined ? await searchableFeatures(ralph) : [feature]
  const looked = kinds.filter((kind) => {
    if (outcome.length > 0) return kind === 'iteration'
    return OF_FEATURES.includes(kind) || (feature === undefined && (!inRun || KINDS_IN_RUNS.includes(kind)))
  })
  const words = (some: readonly MemoryKind[]) => some.map((kind) => LOOKED_AT[kind])
  const ofFeatures = words(looked.filter((kind) => OF_FEATURES.includes(kind))).join(', ')
  const whose = feature === undefined ? plural(features.length, 'feature') : JSON.stringify(feature)
  const searched = [
    ...(ofFeatures === '' || features.length === 0 ? [] : [`${ofFeatures} of ${whose}`]),
    ...words(looked.filter((kind) => !OF_FEATURES.includes(kind))),
  ]
  const nothingHere = features.length === 0 ? ' Nothing is remembered of this project yet.' : ''
  const where = `Searched: ${searched.join('; ')}${timeWords(since, until)}; scores from ${minScore}.`
  out.talk(`Nothing matches ${JSON.stringify(query)}.${nothingHere}${searched.length > 0 ? ` ${where}` : ''}`)
  if (features.length === 0) return out.talk(`  → ${whereMoreComesFrom(ralph)}`)
  const narrowed = [
    ...(asked.kinds ? ['--type'] : []),
    ...(feature === undefined ? [] : ['--feature']),
    ...(outcome.length > 0 ? ['--outcome'] : []),
    ...(since === undefined ? [] : ['--since']),
    ...(until === undefined ? [] : ['--until']),
  ]
  const tries = [
    'other words',
    ...(narrowed.length > 0 ? [`without ${narrowed.join(', ')}`] : []),
    ...(minScore > 0.2 ? ['--min-score 0.2 for weaker matches'] : []),
  ]
  out.talk(`  → Try ${tries.join('; or ')}.`)
}

function whereMoreComesFrom({ config }: Ralph): string {
  return existsSync(config.paths.database)
    ? 'ralph conversations import takes over past sessions; hooks and ralph loop record new ones'
    : `${initCommand(config)} sets memory up here: this folder has no .ralph`
}

function timeWords(since: string | undefined, until: string | undefined): string {
  const from = since === undefined ? '' : ` from ${since.slice(0, 10)}`
  return `${from}${until === undefined ? '' : ` up to ${until.slice(0, 10)}`}`
}
