import type { Command } from 'commander'
import { chooseFeature, chosenFeature } from '../../board/current-feature.ts'
import type { Feature, FeaturePatch } from '../../board/feature.ts'
import { RalphError } from '../../errors.ts'
import type { Ralph } from '../../ralph.ts'
import { plural } from '../../text/plural.ts'
import { shellWord } from '../../text/shell-word.ts'
import { undoable } from '../../undo/undoable.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { confirmed } from '../confirm.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { clearedFields, requireChange, type TextFlag, textOption } from './board/flags.ts'

const TEXTS: readonly TextFlag[] = [
  { field: 'displayName', flag: '--display-name', description: 'how people call it' },
  { field: 'acronym', flag: '--acronym', description: 'its short form' },
  { field: 'description', flag: '--description', description: 'what it is (3,000 characters)' },
  { field: 'architecture', flag: '--architecture', description: 'how it is built (3,000 characters)' },
  {
    field: 'boundaries',
    flag: '--boundaries',
    description: 'what is in and out of scope (1,500 characters)',
  },
]
const CLEARABLE = [...TEXTS.map(({ field }) => field), 'knowledgePaths', 'contextFiles', 'dependencies']

interface FeatureFlags {
  displayName?: string
  acronym?: string
  description?: string
  architecture?: string
  boundaries?: string
  knowledge?: string[]
  contextFile?: string[]
  dependency?: string[]
  clear?: string[]
}

export function register(feature: Command): void {
  registerAdd(feature)
  registerList(feature)
  registerShow(feature)
  registerSet(feature)
  registerRemove(feature)
  registerUse(feature)
}

function withFields(command: Command): Command {
  for (const flag of TEXTS) textOption(command, flag)
  return command
    .option('--knowledge <path...>', 'documents an agent should know (10)')
    .option('--context-file <path...>', 'files that matter for it (30)')
    .option('--dependency <text...>', 'what it stands on (20)')
}

function registerAdd(feature: Command): void {
  const add = withFields(feature.command('add <name>').description('add a feature; its name never changes'))
  withExamples(
    add,
    'ralph feature add auth --display-name "Sign-in" --description "Login, logout and sessions of the shop."',
    'ralph feature add auth --architecture @docs/auth-architecture.md --knowledge docs/auth.md',
  )
  ralphCommand<FeatureFlags>(add, async ({ ralph, options, out }, name) => {
    const added = await undoable(ralph, `feature add ${shellWord(name!)}`, () =>
      ralph.board.addFeature({ ...patchOf(options), name: name! }),
    )
    out.result({ feature: added }, () => `Added feature "${added.name}".`)
  })
}

function registerList(feature: Command): void {
  const list = feature.command('list').description('all features and where they stand')
  withExamples(list, 'ralph feature list')
  ralphCommand(list, async ({ ralph, out }) => {
    const features = await Promise.all(
      (await ralph.board.features()).map(async (one) => ({
        ...one,
        currentState: await ralph.board.currentState(one.name),
      })),
    )
    out.result({ features }, () =>
      table(
        ['name', 'state', 'learnings'],
        features.map(({ name, currentState, learnings }) => [
          name,
          currentState.split('. ')[0]!.replace(/\.$/, ''),
          learnings.length,
        ]),
      ),
    )
    if (features.length === 0) out.talk('No features yet. Add one with: ralph feature add NAME')
  })
}

function registerShow(feature: Command): void {
  const show = feature.command('show <name>').description('everything about a feature')
  withExamples(show, 'ralph feature show auth')
  ralphCommand(show, async ({ ralph, out }, name) => {
    const found = await ralph.board.feature(name!)
    const currentState = await ralph.board.currentState(found.name)
    out.result({ feature: { ...found, currentState } }, () => featureDescription(out, found, currentState))
  })
}

function registerSet(feature: Command): void {
  const set = withFields(
    feature.command('set <name>').description('change fields; what is not given stays'),
  ).option('--clear <field...>', `empty fields: ${CLEARABLE.join(', ')}`)
  withExamples(
    set,
    'ralph feature set auth --boundaries "In: passwords. Out: payments."',
    'ralph feature set auth --clear acronym',
  )
  ralphCommand<FeatureFlags>(set, async ({ ralph, options, out }, name) => {
    const patch = { ...patchOf(options), ...clearedFields(options.clear, CLEARABLE) }
    requireChange(patch)
    const changed = await undoable(ralph, `feature set ${shellWord(name!)}`, () =>
      ralph.board.patchFeature(name!, patch),
    )
    out.result({ feature: changed }, () => `Changed feature "${changed.name}".`)
  })
}

function registerRemove(feature: Command): void {
  const remove = feature
    .command('remove <name>')
    .description('remove a feature that no task refers to, with its memory')
    .option('--yes', 'do not ask')
  withExamples(remove, 'ralph feature remove auth --yes')
  ralphCommand<{ yes?: boolean }>(
    remove,
    async ({ ralph, options, out }, name) => {
      const { iterations } = await ralph.featureMemory.statistics((await ralph.board.feature(name!)).name)
      if (
        iterations > 0 &&
        !options.yes &&
        !(await confirmed(`Delete "${name}" and its ${plural(iterations, 'recorded iteration')}?`))
      ) {
        throw new RalphError(
          'cancelled',
          `"${name}" has ${plural(iterations, 'recorded iteration')}; nothing was removed`,
          {
            hint: `ralph feature remove ${name} --yes`,
          },
        )
      }
      const removed = await undoable(
        ralph,
        `feature remove ${shellWord(name!)}`,
        async () => {
          const gone = await ralph.board.removeFeature(name!)
          await forgetAll(ralph, gone.name)
          return gone
        },
        {
          remark:
            iterations > 0 ? `${plural(iterations, 'recorded iteration')}, forgotten for good` : undefined,
        },
      )
      out.result(
        { removed: removed.name, iterations },
        () => `Removed feature "${removed.name}" and ${plural(iterations, 'iteration')}.`,
      )
    },
    { forPeople: 'remove a feature with its memory' },
  )
}

async function forgetAll(ralph: Ralph, name: string): Promise<void> {
  await ralph.featureMemory.forget(name)
  if (chosenFeature(ralph.config.project) === name) chooseFeature(ralph.config.project, undefined)
}

function registerUse(feature: Command): void {
  const use = feature
    .command('use [name]')
    .description('which feature sessions in this working copy belong to')
    .option('--none', 'forget the choice: branch, worktree, progress and files decide again')
  withExamples(use, 'ralph feature use auth', 'ralph feature use --none')
  ralphCommand<{ none?: boolean }>(use, async ({ ralph, options, out }, name) => {
    const { project } = ralph.config
    const choose = (wanted: string | undefined) =>
      undoable(ralph, `feature use ${wanted === undefined ? '--none' : shellWord(wanted)}`, async () =>
        chooseFeature(project, wanted),
      )
    if (options.none) await choose(undefined)
    else if (name !== undefined) await choose(await knownFeature(ralph, name))
    const feature = chosenFeature(project)
    out.result({ feature: feature ?? null }, () =>
      feature === undefined
        ? 'No feature is chosen: branch, worktree, progress and files decide.'
        : `Sessions here belong to "${feature}".`,
    )
  })
}

/** On the board, or with memory of its own that nobody has put on the board. */
async function knownFeature(ralph: Ralph, name: string): Promise<string> {
  if ((await ralph.featureMemory.features()).includes(name)) return name
  return (await ralph.board.feature(name)).name
}

function patchOf(options: FeatureFlags): FeaturePatch {
  const { displayName, acronym, description, architecture, boundaries, knowledge, contextFile, dependency } =
    options
  return {
    displayName,
    acronym,
    description,
    architecture,
    boundaries,
    knowledgePaths: knowledge,
    contextFiles: contextFile?.map((path) => ({ path, source: 'human' as const, touchCount: 0 })),
    dependencies: dependency,
  }
}

export function featureDescription(out: Output, feature: Feature, currentState: string): string {
  const part = (title: string, body: string | undefined) =>
    body ? `\n${out.style('bold', title)}\n${indented(body)}` : ''
  return [
    `${out.style('bold', feature.displayName ?? feature.name)}  ${out.style('dim', feature.name)}`,
    currentState,
    part('Description', feature.description),
    part('Architecture', feature.architecture),
    part('Boundaries', feature.boundaries),
    part('Dependencies', feature.dependencies.join('\n')),
    part('Knowledge', feature.knowledgePaths.join('\n')),
    part('Context files', feature.contextFiles.map(({ path, source }) => `${path} (${source})`).join('\n')),
    part('Learnings', feature.learnings.map(({ text, source }) => `${text} (${source})`).join('\n')),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function indented(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
