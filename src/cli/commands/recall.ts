import type { Command } from 'commander'
import { OUTCOMES, type Outcome } from '../../feature-memory/record.ts'
import { isOfRun } from '../../person.ts'
import { recallEverything } from '../../recall/recall.ts'
import { MEMORY_KINDS, type MemoryAddress, type MemoryKind } from '../../recall/recollection.ts'
import { oneLine } from '../../text/truncate.ts'
import {
  collectOneOf,
  parseFraction,
  parseTime,
  parseWholeNumber,
  ralphCommand,
  withExamples,
} from '../command.ts'

interface RecallFlags {
  limit?: number
  minScore?: number
  type?: MemoryKind[]
  feature?: string
  outcome?: Outcome[]
  since?: string
  until?: string
}

export function register(recall: Command): void {
  recall
    .argument('<query>')
    .option(
      '--limit <number>',
      'most results (default: the setting search.limit)',
      parseWholeNumber('--limit', 1),
    )
    .option(
      '--min-score <number>',
      'leave out what scores lower, 0 to 1 (default: the setting search.min_score)',
      parseFraction('--min-score'),
    )
    .option(
      '--type <type...>',
      `only these: ${MEMORY_KINDS.join(', ')}`,
      collectOneOf('--type', MEMORY_KINDS),
    )
    .option('--feature <name>', 'only what is remembered of this feature')
    .option(
      '--outcome <outcome...>',
      `only iterations that ended so: ${OUTCOMES.join(', ')}`,
      collectOneOf('--outcome', OUTCOMES),
    )
    .option('--since <date>', 'only from this time on (ISO 8601)', parseTime('--since'))
    .option('--until <date>', 'only up to this time (ISO 8601)', parseTime('--until'))
  withExamples(
    recall,
    'ralph recall "how did we fix the timeout"',
    'ralph recall "session cookies" --type learning pattern --since 2026-02-01',
  )
  ralphCommand<RecallFlags>(recall, async ({ ralph, options, out, signal }, query) => {
    const { project: _project, json: _json, type: kinds, ...filters } = options
    const inRun = await isOfRun(ralph.config)
    const wanted = { ...ralph.config.settings.search, ...filters, kinds, inRun, signal }
    const found = await recallEverything(ralph, query!, wanted)
    const results = found.results.map(({ address, text, passage, score, relevance, matched }) => ({
      ...sourceOfMemory(address),
      ...{ score, relevance, matched, words: passage.words, text },
    }))
    out.result({ results }, () =>
      results
        .map(({ memory, source, score, relevance, text }) => {
          const label = out.style('dim', `${memory} · ${source} · ${relevance} ${score.toFixed(2)}`)
          return `${label}\n  ${oneLine(text, 240)}`
        })
        .join('\n'),
    )
    if (results.length === 0) out.talk('Nothing in memory matches.')
    if (inRun) out.talk('Project knowledge was not asked: the loop has told what is known.')
  })
}

/** For people, so that they find it again. */
function sourceOfMemory(address: MemoryAddress): { memory: string; type: MemoryKind; source: string } {
  const type = address.kind
  switch (address.kind) {
    case 'iteration':
      return {
        memory: 'feature memory',
        type,
        source: `${address.feature}, iteration ${address.iterationNumber}`,
      }
    case 'learning':
      return { memory: 'feature memory', type, source: `${address.feature}, learning ${address.learningId}` }
    case 'feature':
      return { memory: 'feature memory', type, source: address.feature }
    case 'pattern':
      return { memory: 'project knowledge', type, source: address.entryId.slice(0, 8) }
    case 'exchange':
      return { memory: 'conversation memory', type, source: `exchange ${address.exchangeId}` }
  }
}
