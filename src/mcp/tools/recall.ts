import { z } from 'zod'
import { isFailedAttempt } from '../../feature-memory/endings.ts'
import { FINDING_TYPES, type Finding } from '../../feature-memory/finding.ts'
import { OUTCOMES } from '../../feature-memory/record.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import { nameOrQuoted } from '../../text/quote.ts'
import { checkedCount, checkedFraction, limit, meaningfulQuery, query } from '../../text/tool-arguments.ts'
import { FindingView, findingViews } from '../finding-view.ts'
import { cut, IterationView, iterationViews, type ShownIteration } from '../iteration-view.ts'
import { defineTool, type ToolAnswer } from '../tool.ts'

const MOST_RESULTS = 20
const DEFAULT_RESULTS = 5
const MOST_FILES = 100

const searchFeatureMemory = defineTool({
  name: 'search_feature_memory',
  title: 'Search feature memory',
  description:
    'Find by meaning and by words, also by an exact error message, what is remembered of this feature: earlier iterations (what was tried, what failed and why, what was decided), learnings, and its description.',
  kind: 'read',
  input: {
    query,
    limit: limit(MOST_RESULTS, DEFAULT_RESULTS),
    min_score: z
      .number()
      .optional()
      .describe('Leave out what scores lower, 0 to 1; 0.55 and more is "relevant"'),
    outcome: z.enum(OUTCOMES).optional().describe('Only iterations that ended like this'),
    type: z.enum(FINDING_TYPES).optional().describe('Only results of this kind'),
  },
  output: { results: z.array(FindingView) },
  empty: { results: [] },
  async run({ ralph, feature, signal }, args) {
    // An agent pays for each result: it gets few unless it asks for more, and no more than the settings allow.
    const byDefault = Math.min(DEFAULT_RESULTS, ralph.config.settings.search.limit)
    const found = await ralph.featureMemory.recall(
      feature,
      meaningfulQuery(args.query, 'To see everything, call get_recent_iterations.'),
      {
        limit: checkedCount('limit', args.limit, MOST_RESULTS, byDefault),
        minScore: checkedFraction('min_score', args.min_score),
        signal,
        ...(args.outcome && { outcome: [args.outcome] }),
        ...(args.type && { types: [args.type] }),
      },
    )
    // The one that stands for them says how many there are.
    const findings = found.filter(({ repeats }) => !repeats)
    const shown = findings.some(({ type }) => type === 'learning') ? await ralph.learnings.list(feature) : []
    const { views, text } = findingViews(findings, shown)
    return {
      structured: { results: views },
      text: views.length > 0 ? text : 'Nothing in memory matches. Nobody may have met this yet.',
      items: findings.map((finding, at) => foundItem(finding, JSON.stringify(views[at]))),
    }
  },
})

const getRecentIterations = defineTool({
  name: 'get_recent_iterations',
  title: 'Recent iterations',
  description: 'What the latest iterations on this feature did, the newest first.',
  kind: 'read',
  input: { count: limit(MOST_RESULTS, DEFAULT_RESULTS) },
  output: { iterations: z.array(IterationView) },
  empty: { iterations: [] },
  async run({ ralph, feature }, { count }) {
    const wanted = checkedCount('count', count, MOST_RESULTS, DEFAULT_RESULTS)
    const records = await ralph.featureMemory.recent(feature, wanted)
    return answer(
      'iterations',
      records.map((record) => ({ record })),
      'No iterations yet.',
    )
  },
})

const getFailedAttempts = defineTool({
  name: 'get_failed_attempts',
  title: 'Failed attempts',
  description:
    'Iterations of this feature that worked to their end without getting there, the newest first, with their errors: what was tried already. Runs that were stopped or let down by the service are not among them.',
  kind: 'read',
  input: { task_id: z.number().optional().describe('Only this task') },
  output: { iterations: z.array(IterationView), more: z.boolean().optional() },
  empty: { iterations: [] },
  async run({ ralph, feature }, { task_id: taskId }) {
    const most = DEFAULT_RESULTS * 2
    const failed = await ralph.featureMemory.failedAttempts(feature, taskId, most + 1)
    const findings = failed.slice(0, most).map((record) => ({ record }))
    const none = taskId === undefined ? 'Nothing failed so far.' : `No failed attempts for task ${taskId}.`
    const shown = answer('iterations', findings, none)
    if (failed.length <= most) return shown
    const line = '… and older ones; search_feature_memory with outcome "failure" finds them.'
    return {
      ...shown,
      structured: { ...shown.structured, more: true },
      text: `${shown.text}\n${line}`,
    }
  },
})

const getFeatureFiles = defineTool({
  name: 'get_feature_files',
  title: 'Files of the feature',
  description:
    'Every file that iterations on this feature touched, the most touched first. A quick way to know where things are.',
  kind: 'read',
  input: {},
  output: {
    files: z.array(
      z.object({
        path: z.string(),
        touches: z.number(),
        last_action: z.string(),
        last_iteration: z.number(),
      }),
    ),
    more: z.number().optional(),
  },
  empty: { files: [] },
  async run({ ralph, feature }) {
    const all = await ralph.featureMemory.files(feature)
    const files = all.slice(0, MOST_FILES).map(({ path, touches, lastAction, lastIteration }) => ({
      path: cut(path, 300),
      touches,
      last_action: lastAction,
      last_iteration: lastIteration,
    }))
    const more = all.length - files.length
    const lines = files.map(
      (file) =>
        `- ${nameOrQuoted(file.path, 300)} (${file.touches}×, last ${file.last_action} in iteration ${file.last_iteration})`,
    )
    if (more > 0) lines.push(`… and ${more} less touched ones.`)
    return {
      structured: { files, ...(more > 0 && { more }) },
      text: lines.length > 0 ? lines.join('\n') : 'No files yet.',
      items: files.map(({ path }) => ({
        kind: 'file',
        source: path,
        why: 'touched by the feature',
        text: path,
      })),
    }
  },
})

export const recallTools = [searchFeatureMemory, getRecentIterations, getFeatureFiles, getFailedAttempts]

function answer(key: string, findings: readonly ShownIteration[], none: string): ToolAnswer {
  const { views, text } = iterationViews(findings)
  return {
    structured: { [key]: views },
    text: views.length > 0 ? text : none,
    items: findings.map((finding, at) => receiptItem(finding, JSON.stringify(views[at]))),
  }
}

function foundItem(finding: Finding, text: string): ReceiptItem {
  if (finding.type === 'iteration') return receiptItem(finding, text)
  const why = `found by ${finding.matched.join(' and ')}`
  const source = finding.type === 'learning' ? `learning ${finding.learning.id}` : 'the feature itself'
  return { kind: finding.type, source, why, score: finding.score, text }
}

function receiptItem({ record, score, matched }: ShownIteration, text: string): ReceiptItem {
  return {
    kind: isFailedAttempt(record) ? 'failed_attempt' : 'iteration',
    source: `iteration ${record.iterationNumber}`,
    why: matched ? `found by ${matched.join(' and ')}` : 'asked for',
    ...(score !== undefined && { score }),
    text,
  }
}
