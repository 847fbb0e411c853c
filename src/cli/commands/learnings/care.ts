import type { Command } from 'commander'
import { RalphError, UsageError } from '../../../errors.ts'
import type { CareResult } from '../../../learnings/care.ts'
import type { NewWords } from '../../../learnings/store.ts'
import { requirePerson } from '../../../person.ts'
import type { Ralph } from '../../../ralph.ts'
import { undoable } from '../../../undo/undoable.ts'
import { type Run, ralphCommand, withExamples } from '../../command.ts'
import { canAsk } from '../../confirm.ts'
import { editedText } from '../../editor.ts'
import { named } from '../../named.ts'
import type { Output } from '../../output.ts'
import { done, resultText, withoutList } from './text.ts'

/** Which feature's learning an id names: it tells by itself. */
const FEATURE = ['--feature <name>', 'the feature (default: whichever has a learning of that id)'] as const

interface Meant {
  feature?: string
}

export function registerCareOfLearnings(learnings: Command): void {
  registerRemove(learnings)
  registerReview(learnings)
  registerMerge(learnings)
  registerEdit(learnings)
}

/** The learning that is meant. */
export async function learningNamed(
  ralph: Ralph,
  typed: string,
  feature: string | undefined,
  out: Output,
): Promise<{ feature: string; id: string }> {
  const address = await named(ralph, typed, { feature, only: 'learning' }, out)
  if (address.kind !== 'learning') throw new RalphError('internal', `${address.kind} instead of a learning`)
  return { feature: address.feature, id: address.learningId }
}

/** Cares for one learning, so that it can be undone, and says what came of it. */
async function care(
  { ralph, options, out }: Pick<Run<Meant>, 'ralph' | 'options' | 'out'>,
  what: string,
  typed: string,
  work: (feature: string, id: string) => Promise<CareResult>,
): Promise<void> {
  const { feature, id } = await learningNamed(ralph, typed, options.feature, out)
  const result = await undoable(ralph, `learnings ${what} ${id}`, async () =>
    done(feature, await work(feature, id)),
  )
  out.result(withoutList(result), () => resultText(out, result))
}

function registerRemove(learnings: Command): void {
  const remove = learnings
    .command('remove <id>')
    .description('remove an observation')
    .option(...FEATURE)
  withExamples(remove, 'ralph learnings remove l-hc79fee8')
  ralphCommand<Meant>(remove, (run, typed) =>
    care(run, 'remove', typed!, (feature, id) => run.ralph.learnings.remove(feature, id, 'person')),
  )
}

function registerReview(learnings: Command): void {
  const review = learnings
    .command('review <id>')
    .description('mark an observation as reviewed, or settle a contradiction')
    .option(...FEATURE)
    .option('--keep-this', 'it contradicts another one and is right: the other goes')
    .option('--keep-both', 'it contradicts another one only on the surface: both stay')
  withExamples(review, 'ralph learnings review l-hc79fee8', 'ralph learnings review l-hc79fee8 --keep-this')
  ralphCommand<Meant & { keepThis?: boolean; keepBoth?: boolean }>(review, async (run, typed) => {
    const { keepThis, keepBoth } = run.options
    const { learnings: store } = run.ralph
    if (keepThis && keepBoth)
      throw new UsageError('one stays or both do, not both', 'Give either --keep-this or --keep-both.')
    await care(run, 'review', typed!, (feature, id) =>
      keepThis || keepBoth
        ? store.resolve(feature, id, keepThis ? 'keep_this' : 'keep_both', 'person')
        : store.review(feature, id, 'person'),
    )
  })
}

function registerMerge(learnings: Command): void {
  const merge = learnings
    .command('merge <ids...>')
    .description('make one observation of several that say the same; it keeps all that was known of them')
    .option(...FEATURE)
    .option('--text <text>', 'their common words (default: those of the first)')
  withExamples(merge, 'ralph learnings merge l-hc79fee8 l-b83df6c7')
  ralphCommand<Meant & { text?: string }>(merge, async ({ ralph, options, out }, ...typed) => {
    if (typed.length < 2) throw new UsageError('merging takes at least two learnings')
    const { feature, id } = await learningNamed(ralph, typed[0]!, options.feature, out)
    const ids = [id]
    for (const other of typed.slice(1)) ids.push((await learningNamed(ralph, other, feature, out)).id)
    const result = await undoable(ralph, `learnings merge ${ids.join(' ')}`, async () =>
      done(feature, await ralph.learnings.merge(feature, ids, 'person', options.text)),
    )
    out.result(withoutList(result), () => resultText(out, result))
  })
}

function registerEdit(learnings: Command): void {
  const edit = learnings
    .command('edit <id>')
    .description('put an observation into your own words; duplicates and contradictions are looked for again')
    .option(...FEATURE)
    .option('--text <text>', 'what it says (default: as it is)')
    .option('--reason <text>', 'why it is worth knowing (default: as it is)')
  withExamples(
    edit,
    'ralph learnings edit l-hc79fee8',
    'ralph learnings edit l-hc79fee8 --text "getSession() returns a userId"',
  )
  ralphCommand<Meant & NewWords>(edit, async (run, typed) => {
    const { text, reason } = run.options
    const isGiven = text !== undefined || reason !== undefined
    if (!isGiven && !canAsk())
      throw new UsageError(
        'say what to change',
        'Give --text, --reason, or both; at a terminal your editor opens without them.',
      )
    await care(run, 'edit', typed!, async (feature, id) => {
      const words = isGiven ? { text, reason } : await wordsFromEditor(run.ralph, feature, id)
      return run.ralph.learnings.edit(feature, id, words, 'person')
    })
  })
}

const BECAUSE = 'because:'

/** What a person makes of it in an editor: the words, and behind "because:" the reason. */
async function wordsFromEditor(ralph: Ralph, feature: string, id: string): Promise<NewWords> {
  await requirePerson(ralph.config, 'put learnings into other words in the name of a person')
  const now = (await ralph.learnings.known(feature)).find((one) => one.id === id)
  const shown = [
    `# A learning of ${feature}. Change what it says, and behind "${BECAUSE}" why it is worth knowing.`,
    '# Lines that begin with # are left out.',
    now?.text ?? '',
    '',
    `${BECAUSE} ${now?.reason ?? ''}`,
    '',
  ]
  const edited = await editedText(shown.join('\n'), 'learning.txt')
  const lines = edited.split(/\r?\n/).filter((line) => !line.startsWith('#'))
  const at = lines.findIndex((line) => line.trimStart().toLowerCase().startsWith(BECAUSE))
  const joined = (some: readonly string[]) => some.join(' ').replace(/\s+/g, ' ').trim()
  const text = joined(at === -1 ? lines : lines.slice(0, at))
  const reason = at === -1 ? '' : joined(lines.slice(at)).slice(BECAUSE.length).trim()
  if (text === '')
    throw new RalphError('cancelled', 'the text is empty: nothing was changed', {
      hint: `To remove it: ralph learnings remove ${id}`,
    })
  return { text, ...(reason !== '' && { reason }) }
}
