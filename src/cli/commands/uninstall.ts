import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { RalphError } from '../../errors.ts'
import { removeCommand } from '../../installation.ts'
import { removeProjectFolder, removeUnusedHome, requireRemovable } from '../../setup/forget-project-memory.ts'
import { type HeldMemory, heldMemory } from '../../setup/held-memory.ts'
import type { Problem } from '../../setup/offers/offer.ts'
import { agentsWithUserHooks, type TakenOut, takeOut } from '../../setup/take-out.ts'
import { plural } from '../../text/plural.ts'
import type { AgentName } from '../../transcripts/agents.ts'
import { type Run, ralphCommand, withExamples } from '../command.ts'
import { canAsk, confirmed, typedYes } from '../confirm.ts'
import type { Output } from '../output.ts'

interface UninstallFlags {
  memory?: boolean
  yes?: boolean
}

export function register(uninstall: Command): void {
  uninstall
    .option(
      '--memory',
      'also delete what is remembered of this project, here and in your own folder, for good',
    )
    .option('--yes', 'without asking; the memory is kept unless --memory says otherwise')
  withExamples(uninstall, 'ralph uninstall', 'ralph uninstall --memory --yes')
  ralphCommand<UninstallFlags>(uninstall, runUninstall, {
    leavesSessions: true,
    forPeople: 'uninstall memory',
  })
}

type MemoryOutcome = 'none' | 'kept' | 'deleted'

async function runUninstall({ ralph, options, out }: Run<UninstallFlags>): Promise<void> {
  const { config } = ralph
  await requireRemovable(config)
  const held = await heldMemory(ralph)
  const holds = held.files.length + held.conversations > 0
  const asks = canAsk() && !options.yes && !out.json
  if (asks && !(await confirmed(`Take Ralph Memory out of ${config.project}?`, { usually: true })))
    throw new RalphError('cancelled', 'nothing was taken out')
  const deletes = holds && (await agreesToDelete(held, options, asks))
  const userHooks = await agentsWithUserHooks(config)
  const taken = await takeOut(config)
  const folder = existsSync(join(config.project, '.ralph'))
  // A folder that nobody has put anything into is no memory: it goes with the rest.
  const goes = folder && (deletes || held.files.length === 0)
  const {
    home,
    held: inUse,
    ...forgotten
  } = goes || deletes
    ? await removeProjectFolder(ralph, { stored: deletes })
    : folder
      ? { home: false, held: [] }
      : await removeUnusedHome(ralph)
  const memory: MemoryOutcome = deletes ? 'deleted' : holds ? 'kept' : 'none'
  if (goes && !existsSync(join(config.project, '.ralph')))
    taken.files.push({ path: '.ralph', action: 'removed' })
  if (inUse.length > 0) taken.problems.push(inUseByOthers(inUse))
  out.result(
    {
      project: config.project,
      files: taken.files,
      memory,
      held,
      forgotten: deletes ? forgotten : null,
      home: home ? 'removed' : 'kept',
      userHooks: userHooks.length > 0,
      problems: taken.problems,
    },
    () => uninstallText(out, { project: config.project, taken, memory, held, home, userHooks }),
  )
  if (taken.problems.length > 0) process.exitCode = 1
}

/** Windows removes nothing that a program has open, as the servers of agents' sessions have what they search with. */
function inUseByOthers(paths: readonly string[]): Problem {
  const more = paths.length > 1 ? ` and ${plural(paths.length - 1, 'other file')}` : ''
  return {
    message: `another program uses ${paths[0]}${more}`,
    hint: 'End the sessions of your coding agents, then: ralph uninstall',
  }
}

async function agreesToDelete(held: HeldMemory, options: UninstallFlags, asks: boolean): Promise<boolean> {
  if (!asks) return options.memory === true
  const question = `Delete its memory too, for good: ${heldText(held)}?\nType "yes" to delete it, Enter to keep it: `
  return typedYes(question)
}

interface UninstallOutcome {
  project: string
  taken: TakenOut
  memory: MemoryOutcome
  held: HeldMemory
  /** Whether the user's own folder is gone. */
  home: boolean
  userHooks: readonly AgentName[]
}

function uninstallText(out: Output, outcome: UninstallOutcome): string {
  const { project, taken, memory, held, home, userHooks } = outcome
  const command = removeCommand()
  const nothing = taken.files.length === 0 && memory === 'none' && taken.problems.length === 0
  return [
    nothing
      ? `There is nothing of Ralph Memory in ${project}.`
      : `${out.style('bold', 'Ralph Memory')} is out of ${project}`,
    ...taken.files.map(({ path, action }) =>
      action === 'removed' ? `  - ${path}` : `  ~ ${path}${out.style('dim', '  (ours is out)')}`,
    ),
    ...taken.problems.flatMap(({ message, hint }) => [
      `  ${out.style('red', '✗')} ${message}`,
      ...(hint ? [`    → ${hint}`] : []),
    ]),
    ...(memory === 'deleted' ? [`  - its memory: ${heldText(held)}`] : []),
    ...(memory === 'kept'
      ? [`  Its memory is kept: ${heldText(held)}`, '    → ralph uninstall --memory deletes it']
      : []),
    ...(home ? ['  - your own folder of Ralph Memory: nothing else was in it'] : []),
    ...userHooks.map(
      (agent) =>
        `  Hooks for all your projects stay\n    → ralph hooks uninstall --scope user${agent === 'claude-code' ? '' : ` --agent ${agent}`}`,
    ),
    ...(nothing || command === undefined ? [] : [`The command itself: ${command}`]),
  ].join('\n')
}

function heldText({ iterations, features, conversations, files }: HeldMemory): string {
  const parts = [
    ...(iterations > 0 ? [`${plural(iterations, 'iteration')} of ${plural(features, 'feature')}`] : []),
    ...(conversations > 0 ? [`${plural(conversations, 'conversation')}`] : []),
    ...(files.length > 0 ? [`${plural(files.length, 'file')} in .ralph/`] : []),
  ]
  return parts.join(', ')
}
