import type { Command } from 'commander'
import type { Ralph } from '../../ralph.ts'
import { oneLine } from '../../text/truncate.ts'
import { ralphCommand, wholeNumber, withExamples } from '../command.ts'

interface Recalled {
  memory: 'feature memory' | 'project knowledge' | 'conversation memory'
  /** The feature, the pattern's id, or the exchange's id. */
  source: string
  score: number
  text: string
}

const DEFAULT_LIMIT = 10
/** Below it a result is more likely noise than help, whichever memory it comes from. */
const POSSIBLY_RELEVANT = 0.4

export function register(program: Command): void {
  const recall = program
    .command('recall <query>')
    .description('one search over all that you may see: this project, project knowledge, conversations')
    .option('--limit <number>', `most results (default ${DEFAULT_LIMIT})`, wholeNumber('--limit', 1))
  withExamples(recall, 'ralph recall "how did we fix the timeout"')
  ralphCommand<{ limit?: number }>(recall, async ({ ralph, options, out, signal }, query) => {
    const { limit = DEFAULT_LIMIT } = options
    const search = { query: query!, limit, signal }
    const found = [
      ...(await fromFeatures(ralph, search)),
      ...(await fromKnowledge(ralph, search)),
      ...(await fromConversations(ralph, search)),
    ]
    const results = found.sort((a, b) => b.score - a.score).slice(0, limit)
    out.result({ results }, () =>
      results
        .map(({ memory, source, score, text }) => {
          const label = out.style('dim', `${memory} · ${source} · ${score.toFixed(2)}`)
          return `${label}\n  ${oneLine(text, 240)}`
        })
        .join('\n'),
    )
    if (results.length === 0) out.talk('Nothing in memory matches.')
  })
}

interface Search {
  query: string
  limit: number
  signal: AbortSignal
}

async function fromFeatures(ralph: Ralph, { query, limit, signal }: Search): Promise<Recalled[]> {
  const found: Recalled[] = []
  for (const feature of await ralph.featureMemory.features()) {
    const results = await ralph.featureMemory.search(feature, query, { limit, signal })
    for (const { record, score } of results) {
      const source = `${feature}, iteration ${record.iterationNumber}`
      found.push({ memory: 'feature memory', source, score, text: `${record.taskTitle}: ${record.summary}` })
    }
  }
  return found
}

async function fromKnowledge(ralph: Ralph, { query, limit, signal }: Search): Promise<Recalled[]> {
  const options = { limit, minScore: POSSIBLY_RELEVANT, signal }
  const patterns = await ralph.knowledge.queryForTask({ description: query }, options)
  return patterns.map(({ id, score, problem, solution }) => ({
    memory: 'project knowledge',
    source: id.slice(0, 8),
    score,
    text: `${problem} → ${solution}`,
  }))
}

async function fromConversations(ralph: Ralph, { query, limit, signal }: Search): Promise<Recalled[]> {
  const options = { limit, minSimilarity: POSSIBLY_RELEVANT, signal }
  const { results } = await ralph.conversations.search(query, options)
  return results.map(({ exchange, similarity }) => ({
    memory: 'conversation memory',
    source: `exchange ${exchange.id}`,
    score: similarity,
    text: `${exchange.userMessage} → ${exchange.assistantMessage}`,
  }))
}
