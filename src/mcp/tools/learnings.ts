import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import type { CareResult } from '../../learnings/care.ts'
import { learningId } from '../../learnings/learning.ts'
import type { Ralph } from '../../ralph.ts'
import { cited, cut } from '../iteration-view.ts'
import { type CallContext, defineTool, type Tool, type ToolAnswer } from '../tool.ts'

const id = z
  .string({ error: 'is missing: the learning\'s id, e.g. "hc79fee8"' })
  .describe('As shown with the learning, e.g. "hc79fee8"; at least 4 characters')

const append = defineTool({
  name: 'append_feature_learning',
  title: 'Remember a learning',
  description:
    'Leave one observation about this feature for later iterations: something surprising that is true of this code base, with the reason. Not what you did: that is recorded anyway. A known learning is counted, a contradiction is kept and flagged.',
  kind: 'append',
  input: {
    text: z
      .string({ error: 'is missing: one sentence, e.g. "argon2 hangs under fake timers"' })
      .describe('One observation, up to 500 characters'),
    reason: z
      .string({ error: 'is missing: say what you saw that makes you think so' })
      .describe('What you saw that makes you think so'),
    task_id: z.number().int().nonnegative().optional().describe('Only if it holds for this task alone'),
    iteration: z.number().int().positive().optional().describe('The iteration it comes from, if you know'),
    files: z
      .array(z.string())
      .max(10)
      .optional()
      .describe('Files it speaks of: a later change of them is said'),
  },
  output: {
    outcome: z.string().describe('added, counted, known or conflict'),
    id: z.string(),
    why: z.string(),
    conflicts: z.array(z.object({ id: z.string(), text: z.string(), how: z.string() })).optional(),
  },
  async run({ ralph, feature }, { text, reason, task_id: taskId, iteration, files }) {
    if (reason.trim() === '') {
      throw new RalphError('invalid_input', 'the reason is empty', {
        hint: 'Say what you saw, e.g. reason: "the test hung until I used real timers".',
      })
    }
    const source = 'agent'
    const result = await ralph.learnings.append(feature, {
      text,
      reason,
      source,
      taskId,
      iteration,
      files,
      evidence: 'said',
    })
    if (!result.learning || result.outcome === 'full' || result.outcome === 'rejected') {
      throw new RalphError(result.outcome === 'full' ? 'limit_reached' : 'invalid_input', result.why, {
        hint:
          result.outcome === 'full'
            ? 'A person or a review must first remove or merge some.'
            : 'Say what is true of the code, in plain words.',
      })
    }
    const conflicts = result.conflicts?.map(({ learning, how }) => ({
      id: learningId(learning),
      text: cut(learning.text, 200),
      how: cut(how, 200),
    }))
    const known = { id: learningId(result.learning), why: result.why }
    return {
      structured: { outcome: result.outcome, ...known, ...(conflicts && { conflicts }) },
      text: `${result.outcome} (${known.id}): ${result.why}`,
    }
  },
})

const remove = defineTool({
  name: 'remove_feature_learning',
  title: 'Remove a learning',
  description:
    'Remove a learning of this feature that the code shows to be wrong. What a person wrote, and what was reviewed, only a person or a review may remove.',
  kind: 'change',
  input: { id },
  output: { outcome: z.string(), id: z.string(), text: z.string() },
  async run(call, args) {
    const { ralph, feature, caretaker } = call
    return cared(call, await ralph.learnings.remove(feature, args.id.trim(), caretaker))
  },
})

const review = defineTool({
  name: 'review_feature_learning',
  title: 'Mark a learning as reviewed',
  description: 'Say that you checked a learning against the code and found it plausible.',
  kind: 'change',
  input: { id },
  output: { outcome: z.string(), id: z.string(), text: z.string() },
  async run(call, args) {
    const { ralph, feature, caretaker } = call
    return cared(call, await ralph.learnings.review(feature, args.id.trim(), caretaker))
  },
})

const merge = defineTool({
  name: 'merge_feature_learnings',
  title: 'Merge learnings',
  description: 'Make one learning of several that say the same; it keeps all that was known of them.',
  kind: 'change',
  input: {
    ids: z.array(id).min(2, 'merging takes at least two learnings').max(10).describe('Two to ten of them'),
    text: z.string().optional().describe('Their common words; default: those of the first'),
  },
  output: { outcome: z.string(), id: z.string(), text: z.string() },
  async run(call, { ids, text }) {
    const { ralph, feature, caretaker } = call
    const known = ids.map((one) => one.trim())
    return cared(call, await ralph.learnings.merge(feature, known, caretaker, text))
  },
})

export const learningTools = [append, remove]

/** The same for a run without memory: what it is like, or contradicts, would tell of what is known. */
export const silentAppend: Tool = {
  ...append,
  output: { outcome: z.string().describe('kept') },
  async run(call, args) {
    await append.run(call, args)
    return { structured: { outcome: 'kept' }, text: 'kept' }
  },
}

/** Only for a review: an agent cannot vouch for what it wrote itself. */
export const reviewTools = [review, merge]

async function cared({ ralph, feature }: CallContext, result: CareResult): Promise<ToolAnswer> {
  const { outcome, learning, why } = result
  if (outcome === 'not_found' || !learning) {
    throw new RalphError('not_found', why, { hint: await thoseThere(ralph, feature) })
  }
  if (outcome === 'refused') {
    throw new RalphError('conflict', why, {
      hint: 'If it is wrong, say so with append_feature_learning; a person decides.',
    })
  }
  const known = { id: learningId(learning), text: cut(learning.text, 200) }
  return { structured: { outcome, ...known }, text: `${outcome}: ${cited(known.text)} (${known.id})` }
}

async function thoseThere(ralph: Ralph, feature: string): Promise<string> {
  const learnings = await ralph.learnings.list(feature, { limit: 10 })
  if (learnings.length === 0) return 'The feature has no learnings.'
  return `There are: ${learnings.map(({ id, text }) => `${id} ${cited(cut(text, 60))}`).join(', ')}.`
}
