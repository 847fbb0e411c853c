import type { Command } from 'commander'
import { RalphError } from '../../errors.ts'
import { HELD_BACK, isHeldBack } from '../../held-back.ts'
import { LEARNING_SOURCES, type LearningSource } from '../../learnings/learning.ts'
import { isAgent, requirePerson } from '../../person.ts'
import { shellWord } from '../../text/shell-word.ts'
import { decidedWords } from '../../trust/decision.ts'
import { undoable } from '../../undo/undoable.ts'
import { parseOneOf, parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import { AT_HAND, featureOrAtHand } from '../current-feature.ts'
import { learningNamed, registerCareOfLearnings } from './learnings/care.ts'
import { appendText, learningText, withoutList } from './learnings/text.ts'

interface FeatureOptions {
  feature?: string
}

/** Nobody but people and reviews speak in their name. */
const OF_PEOPLE: readonly LearningSource[] = ['human', 'opus_reviewed']

export function register(learnings: Command): void {
  registerAdd(learnings)
  registerList(learnings)
  registerShow(learnings)
  registerCareOfLearnings(learnings)
}

interface AddFlags extends FeatureOptions {
  reason: string
  source?: LearningSource
  taskId?: number
  iteration?: number
  file?: string[]
}

function registerAdd(learnings: Command): void {
  const add = learnings
    .command('add <text>')
    .description('add an observation; a known one is counted, a contradiction is kept and flagged')
    .option('--feature <name>', `the feature it is about ${AT_HAND}`)
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
  ralphCommand<AddFlags>(add, async ({ ralph, options, out }, text) => {
    const { reason, taskId, iteration, file } = options
    const source = options.source ?? ((await isAgent(ralph.config)) ? 'agent' : 'human')
    if (OF_PEOPLE.includes(source)) await requirePerson(ralph.config, `say something as "${source}"`)
    const feature = await featureOrAtHand(ralph, options.feature, out)
    const learning = { text: text!, reason, source, taskId, iteration, files: file }
    const result = await undoable(ralph, `learnings add to ${feature}`, () =>
      ralph.learnings.append(feature, learning),
    )
    if (result.outcome === 'full') {
      throw new RalphError('limit_reached', result.why, {
        hint: `Remove or merge some: ralph learnings list --feature ${shellWord(feature)}`,
      })
    }
    if (result.outcome === 'rejected')
      throw new RalphError('invalid_input', result.why, { hint: 'Say in other words what was observed.' })
    // What it is like, or contradicts, would tell of what is known.
    if (await isHeldBack(ralph.config))
      return out.result({ outcome: 'kept', heldBack: true }, () => `kept. ${HELD_BACK}`, { ours: true })
    out.result(withoutList(result), () => appendText(out, feature, result))
  })
}

function registerList(learnings: Command): void {
  const list = learnings
    .command('list')
    .description('what the feature has learned, the most trustworthy first')
    .option('--feature <name>', `the feature ${AT_HAND}`)
    .option(
      '--task-id <number>',
      'only those for this task and for the whole feature',
      parseWholeNumber('--task-id'),
    )
  withExamples(list, 'ralph learnings list --feature auth')
  ralphCommand<FeatureOptions & { taskId?: number }>(list, async ({ ralph, options, out }) => {
    const feature = await featureOrAtHand(ralph, options.feature, out)
    const [latest] = await ralph.featureMemory.recent(feature, 1)
    const { taskId } = options
    const shown = await ralph.learnings.list(feature, { taskId, iteration: latest?.iterationNumber })
    out.result({ learnings: shown }, () =>
      shown.map((learning) => learningText(out, feature, learning)).join('\n'),
    )
    if (shown.length === 0) out.talk(`"${feature}" has no learnings yet.`)
  })
}

function registerShow(learnings: Command): void {
  const show = learnings
    .command('show <id>')
    .description('one observation with all that is known of it, also who reviewed it')
    .option('--feature <name>', 'the feature (default: whichever has a learning of that id)')
  withExamples(show, 'ralph learnings show l-hc79fee8')
  ralphCommand<FeatureOptions>(show, async ({ ralph, options, out }, typed) => {
    const { feature, id } = await learningNamed(ralph, typed!, options.feature, out)
    const [latest] = await ralph.featureMemory.recent(feature, 1)
    const all = await ralph.learnings.list(feature, { iteration: latest?.iterationNumber })
    const found = all.find((one) => one.id === id)!
    const who = [
      ...(found.decided ? [`            decided by ${decidedWords(found.decided)}`] : []),
      ...(found.edited
        ? [`            edited by ${decidedWords(found.edited)}; before that ${found.edited.formerly}`]
        : []),
    ]
    out.result({ learning: found }, () => [learningText(out, feature, found), ...who].join('\n'))
  })
}
