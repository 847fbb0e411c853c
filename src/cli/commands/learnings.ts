import type { Command } from 'commander'
import { RalphError } from '../../errors.ts'
import type { AppendResult } from '../../learnings/append.ts'
import type { CareResult } from '../../learnings/care.ts'
import type { ShownLearning } from '../../learnings/display.ts'
import { LEARNING_SOURCES, type LearningSource, learningId } from '../../learnings/learning.ts'
import type { NewWords } from '../../learnings/store.ts'
import { isAgent, requirePerson } from '../../person.ts'
import { byShortId } from '../../text/ids.ts'
import { decidedWords } from '../../trust/decision.ts'
import { parseOneOf, parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

interface FeatureOptions {
  feature: string
}

/** Nobody but people and reviews speak in their name. */
const OF_PEOPLE: readonly LearningSource[] = ['human', 'opus_reviewed']

export function register(learnings: Command): void {
  registerAdd(learnings)
  registerList(learnings)
  registerShow(learnings)
  registerRemove(learnings)
  registerReview(learnings)
  registerMerge(learnings)
  registerEdit(learnings)
}

function registerAdd(learnings: Command): void {
  const add = learnings
    .command('add <text>')
    .description('add an observation; a known one is counted, a contradiction is kept and flagged')
    .requiredOption('--feature <name>', 'the feature it is about')
    .requiredOption('--reason <text>', 'why it is worth knowing: what was seen')
    .option(
      '--source <source>',
      `who says so (default human; within an agent, agent): ${LEARNING_SOURCES.join(', ')}`,
      parseOneOf('--source', LEARNING_SOURCES),
    )
    .option(
      '--task-id <number>',
      'only for this task (default: the whole feature)',
      parseWholeNumber('--task-id'),
    )
    .option('--iteration <number>', 'the iteration it comes from', parseWholeNumber('--iteration', 1))
    .option('--file <path...>', 'files it speaks of: a later change of them is said')
  withExamples(
    add,
    'ralph learnings add "The session middleware returns userId, not a user" --feature auth --reason "LoginForm crashed on it" --file src/session.ts',
  )
  ralphCommand<
    FeatureOptions & {
      reason: string
      source?: LearningSource
      taskId?: number
      iteration?: number
      file?: string[]
    }
  >(add, async ({ ralph, options, out }, text) => {
    const { feature, reason, taskId, iteration, file } = options
    const source = options.source ?? ((await isAgent(ralph.config)) ? 'agent' : 'human')
    if (OF_PEOPLE.includes(source)) await requirePerson(ralph.config, `say something as "${source}"`)
    const result = await ralph.learnings.append(feature, {
      text: text!,
      reason,
      source,
      taskId,
      iteration,
      files: file,
    })
    out.result(withoutList(result), () => appendText(out, result))
    if (result.outcome === 'full') {
      throw new RalphError('limit_reached', result.why, {
        hint: `ralph learnings list --feature ${feature}, then review or remove some`,
      })
    }
    if (result.outcome === 'rejected') throw new RalphError('invalid_input', result.why)
  })
}

function registerList(learnings: Command): void {
  const list = learnings
    .command('list')
    .description('what the feature has learned, the most trustworthy first')
    .requiredOption('--feature <name>', 'the feature')
    .option(
      '--task-id <number>',
      'only those for this task and for the whole feature',
      parseWholeNumber('--task-id'),
    )
  withExamples(list, 'ralph learnings list --feature auth')
  ralphCommand<FeatureOptions & { taskId?: number }>(list, async ({ ralph, options, out }) => {
    const { feature, taskId } = options
    const [latest] = await ralph.featureMemory.recent(feature, 1)
    const shown = await ralph.learnings.list(feature, { taskId, iteration: latest?.iterationNumber })
    out.result({ learnings: shown }, () => shown.map((learning) => learningText(out, learning)).join('\n'))
    if (shown.length === 0) out.talk(`"${feature}" has no learnings yet.`)
  })
}

function registerShow(learnings: Command): void {
  const show = learnings
    .command('show <id>')
    .description('one observation with all that is known of it, also who reviewed it')
    .requiredOption('--feature <name>', 'the feature')
  withExamples(show, 'ralph learnings show 3f2a81b0 --feature auth')
  ralphCommand<FeatureOptions>(show, async ({ ralph, options, out }, id) => {
    const { feature } = options
    const [latest] = await ralph.featureMemory.recent(feature, 1)
    const all = await ralph.learnings.list(feature, { iteration: latest?.iterationNumber })
    const found = byShortId(all, id!, (one) => one.id)
    if (!found) {
      throw new RalphError('not_found', `there is no learning ${JSON.stringify(id)} in "${feature}"`, {
        hint: `ralph learnings list --feature ${feature}`,
      })
    }
    const who = [
      ...(found.decided ? [`          decided by ${decidedWords(found.decided)}`] : []),
      ...(found.edited
        ? [`          edited by ${decidedWords(found.edited)}; before that ${found.edited.formerly}`]
        : []),
    ]
    out.result({ learning: found }, () => [learningText(out, found), ...who].join('\n'))
  })
}

function registerRemove(learnings: Command): void {
  const remove = learnings
    .command('remove <id>')
    .description('remove an observation for good')
    .requiredOption('--feature <name>', 'the feature')
  withExamples(remove, 'ralph learnings remove 3f2a81b0 --feature auth')
  ralphCommand<FeatureOptions>(remove, async ({ ralph, options, out }, id) => {
    const result = await ralph.learnings.remove(options.feature, id!, 'person')
    out.result(withoutList(result), () => result.why)
    if (result.outcome !== 'removed') process.exitCode = 1
  })
}

function registerReview(learnings: Command): void {
  const review = learnings
    .command('review <id>')
    .description('mark an observation as reviewed, or settle a contradiction')
    .requiredOption('--feature <name>', 'the feature')
    .option('--keep-this', 'it contradicts another one and is right: the other goes')
    .option('--keep-both', 'it contradicts another one only on the surface: both stay')
  withExamples(review, 'ralph learnings review 3f2a81b0 --feature auth')
  ralphCommand<FeatureOptions & { keepThis?: boolean; keepBoth?: boolean }>(
    review,
    async ({ ralph, options, out }, id) => {
      const { feature, keepThis, keepBoth } = options
      const result =
        keepThis || keepBoth
          ? await ralph.learnings.resolve(feature, id!, keepThis ? 'keep_this' : 'keep_both', 'person')
          : await ralph.learnings.review(feature, id!, 'person')
      out.result(withoutList(result), () => result.why)
      if (result.outcome === 'not_found' || result.outcome === 'refused') process.exitCode = 1
    },
  )
}

function registerMerge(learnings: Command): void {
  const merge = learnings
    .command('merge <ids...>')
    .description('make one observation of several that say the same; it keeps all that was known of them')
    .requiredOption('--feature <name>', 'the feature')
    .option('--text <text>', 'their common words (default: those of the first)')
  withExamples(merge, 'ralph learnings merge 3f2a81b0 hc79fee8 --feature auth')
  ralphCommand<FeatureOptions & { text?: string }>(merge, async ({ ralph, options, out }, ...ids) => {
    const result = await ralph.learnings.merge(options.feature, ids, 'person', options.text)
    out.result(withoutList(result), () => result.why)
    if (result.outcome !== 'merged') process.exitCode = 1
  })
}

function registerEdit(learnings: Command): void {
  const edit = learnings
    .command('edit <id>')
    .description('put an observation into your own words; duplicates and contradictions are looked for again')
    .requiredOption('--feature <name>', 'the feature')
    .option('--text <text>', 'what it says (default: as it is)')
    .option('--reason <text>', 'why it is worth knowing (default: as it is)')
  withExamples(edit, 'ralph learnings edit 3f2a81b0 --feature auth --text "getSession() returns a userId"')
  ralphCommand<FeatureOptions & NewWords>(edit, async ({ ralph, options, out }, id) => {
    const { feature, text, reason } = options
    if (text === undefined && reason === undefined)
      throw new RalphError('invalid_input', 'say what to change', { hint: 'Give --text, --reason, or both.' })
    const result = await ralph.learnings.edit(feature, id!, { text, reason }, 'person')
    out.result(withoutList(result), () => editText(out, result))
    if (result.outcome !== 'edited') process.exitCode = 1
  })
}

function editText(out: Output, { outcome, learning, why }: CareResult): string {
  if (outcome !== 'edited' || !learning) return why
  return `${out.style('bold', learningId(learning))}  ${learning.text}\n  ${why}`
}

function learningText(out: Output, learning: ShownLearning): string {
  const facts = [
    learning.source,
    ...(learning.iteration === undefined ? [] : [`iteration ${learning.iteration}`]),
    ...(learning.taskId === undefined ? [] : [`task ${learning.taskId} only`]),
    learning.reviewed ? 'reviewed' : 'not reviewed',
    `seen ${learning.hitCount}×`,
  ]
  return [
    `${out.style('bold', learning.id)}  ${learning.text}`,
    out.style('dim', `          ${facts.join(' · ')} · because: ${learning.reason}`),
    ...learning.remarks.map((remark) => out.style('yellow', `          ${remark}`)),
  ].join('\n')
}

function appendText(out: Output, { outcome, learning, conflicts, why }: AppendResult): string {
  const head = `${out.style(outcome === 'conflict' ? 'yellow' : 'green', outcome)}${learning ? `  ${learning.text}` : ''}`
  const against = (conflicts ?? []).map(({ learning: other, how }) => `  contradicts (${how}): ${other.text}`)
  return [head, `  ${why}`, ...against].join('\n')
}

/** The whole list would drown what happened. */
function withoutList<Result extends { learnings: unknown }>({
  learnings: _,
  ...rest
}: Result): Omit<Result, 'learnings'> {
  return rest
}
