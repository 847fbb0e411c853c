import type { Command } from 'commander'
import { isRalphError } from '../../errors.ts'
import type { Finding, FindingType } from '../../feature-memory/finding.ts'
import type { Ralph } from '../../ralph.ts'

import { type Relevance, relevanceOf } from '../../retrieval/relevance.ts'

import { oneLine } from '../../text/truncate.ts'

import { parseWholeNumber, ralphCommand, withExamples } from '../command.ts'

interface Recalled {
  memory: 'feature memory' | 'project knowledge' | 'conversation memory'
  /** Of feature memory: what it is. */
  type?: FindingType
  /** The feature and what of it, the pattern's id, or the exchange's id. */
  source: string
  score: number
  relevance: Relevance
  text: string
}

export function register(recall: Command): void {
  recall
    .argument('<query>')
    .option(
      '--limit <number>',
      'most results (default: the setting search.limit)',
      parseWholeNumber('--limit', 1),
    )
  withExamples(recall, 'ralph recall "how did we fix the timeout"')
  ralphCommand<{ limit?: number }>(recall, async ({ ralph, options, out, signal }, query) => {
    const { minScore, limit: byDefault } = ralph.config.settings.search
    const { limit = byDefault } = options
    const search = { query: query!, limit, minScore, signal }
    const found = [
      ...(await fromFeatures(ralph, search)),
      ...(await fromKnowledge(ralph, search)),
      ...(await fromConversations(ralph, search)),
    ]
    const results = found.sort((a, b) => b.score - a.score).slice(0, limit)
    out.result({ results }, () =>
      results
        .map(({ memory, source, score, relevance, text }) => {
          const label = out.style('dim', `${memory} · ${source} · ${relevance} ${score.toFixed(2)}`)
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
  minScore: number
  signal: AbortSignal
}

async function fromFeatures(ralph: Ralph, { query, ...options }: Search): Promise<Recalled[]> {
  const found: Recalled[] = []
  for (const feature of await searchableFeatures(ralph)) {
    for (const finding of await ralph.featureMemory.recall(feature, query, options)) {
      const { score, relevance, type } = finding
      const { source, text } = described(finding)
      found.push({ memory: 'feature memory', type, source: `${feature}${source}`, score, relevance, text })
    }
  }
  return found
}

/** A board that somebody is editing does not keep the journals from being searched. */
async function searchableFeatures({ featureMemory, notices }: Ralph): Promise<string[]> {
  try {
    return await featureMemory.searchable()
  } catch (error) {
    if (!isRalphError(error)) throw error
    notices.once({ key: 'board', message: error.message, hint: error.hint ?? 'ralph doctor' })
    return featureMemory.features()
  }
}

function described(finding: Finding): { source: string; text: string } {
  switch (finding.type) {
    case 'iteration': {
      const { iterationNumber, taskTitle, summary } = finding.record
      return { source: `, iteration ${iterationNumber}`, text: `${taskTitle}: ${summary}` }
    }
    case 'learning': {
      const { id, text, reason } = finding.learning
      return { source: `, learning ${id}`, text: `${text} (because ${reason})` }
    }
    case 'feature':
      return { source: '', text: finding.text }
  }
}

async function fromKnowledge(ralph: Ralph, { query, ...options }: Search): Promise<Recalled[]> {
  const patterns = await ralph.knowledge.queryForTask({ description: query }, options)
  return patterns.map(({ id, score, problem, solution }) => ({
    memory: 'project knowledge',
    source: id.slice(0, 8),
    score,
    relevance: relevanceOf(score),
    text: `${problem} → ${solution}`,
  }))
}

async function fromConversations(ralph: Ralph, search: Search): Promise<Recalled[]> {
  const { query, limit, minScore: minSimilarity, signal } = search
  const { results } = await ralph.conversations.search(query, { limit, minSimilarity, signal })
  return results.map(({ exchange, similarity }) => ({
    memory: 'conversation memory',
    source: `exchange ${exchange.id}`,
    score: similarity,
    relevance: relevanceOf(similarity),
    text: `${exchange.userMessage} → ${exchange.assistantMessage}`,
  }))
}
