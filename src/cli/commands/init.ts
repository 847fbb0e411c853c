import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { searchPath } from '../../config.ts'
import { isRalphError, RalphError } from '../../errors.ts'
import { requirePerson } from '../../person.ts'
import {
  type Answer,
  makeProject,
  type OfferResult,
  offersFor,
  requireProjectFolder,
  takeUp,
} from '../../setup/init-project.ts'
import { reachOf } from '../../setup/installation.ts'
import { OFFER_NAMES, type OfferName, type SetupOffer } from '../../setup/offers/offer.ts'
import { type RememberedThing, rememberedExchange, rememberedRun } from '../../setup/remembered.ts'
import { lookAround } from '../../setup/surroundings.ts'
import { type Run, ralphCommand, withExamples } from '../command.ts'
import { canAsk, confirmed } from '../confirm.ts'
import { initText, surroundingsText } from './init/text.ts'

interface InitFlags extends Partial<Record<OfferName, boolean>> {
  yes?: boolean
}

const OFFERED: Record<OfferName, string> = {
  install: 'the command itself, where npx fetched it for once',
  board: 'features and tasks in .ralph/db/ (the default)',
  hooks: "hooks of the agents found; Claude Code's in .claude/settings.local.json",
  mcp: 'memory tools for the agents found, without paths of this machine',
  trust: 'agents that ask before they use them need not (not part of --yes)',
  instructions: 'a section on the memory tools in AGENTS.md or GEMINI.md',
  import: "Claude Code's past sessions of this project",
}

export function register(init: Command): void {
  for (const name of OFFER_NAMES)
    init.option(`--${name}`, OFFERED[name]).option(`--no-${name}`, `do without, and do not ask`)
  init.option('--yes', 'all of it, without asking')
  withExamples(init, 'ralph init', 'ralph init --yes', 'ralph init --import --no-hooks --json')
  ralphCommand<InitFlags>(init, runInit)
}

async function runInit(run: Run<InitFlags>): Promise<void> {
  const { ralph, options, out, signal } = run
  if (options.trust) await requirePerson(ralph.config, 'let an agent do without asking')
  await requireProjectFolder(ralph.config, options.project !== undefined)
  const surroundings = await lookAround(ralph.config, searchPath())
  const offers = await offersFor(ralph, surroundings)
  const asks = canAsk() && !options.yes && !out.json
  const found = surroundingsText(out, ralph.config.project, surroundings)
  if (asks) out.talk(found)
  // Everything is asked before anything is done: whoever stops here has changed nothing.
  const answers = new Map<SetupOffer, Answer>()
  for (const offer of offers.toSorted(byAsking)) answers.set(offer, await answerFor(offer, options, asks))
  const files = await makeProject(ralph)
  const results: OfferResult[] = []
  try {
    for (const offer of offers) {
      const onProgress = (line: string) => out.progress(`${offer.name}: ${line}`)
      results.push(await takeUp(offer, answers.get(offer)!, { signal, onProgress }))
    }
  } catch (error) {
    if (isRalphError(error) && error.code === 'cancelled') throw stopped(error)
    throw error
  }
  const remembers = await oneThing(run)
  const { git, agents, pastSessions } = surroundings
  // As it is by now: it may just have been installed.
  const reach = reachOf({ project: ralph.config.project, searchPath: searchPath() })
  const { sessions, agents: whose, oldest, newest } = pastSessions
  out.result(
    {
      project: ralph.config.project,
      git: git ?? null,
      reach,
      agents: agents.map(({ client, label, by }) => ({ client, label, by })),
      pastSessions: { sessions, agents: whose, oldest: oldest ?? null, newest: newest ?? null },
      files: [...files, ...results.flatMap((result) => result.files)],
      steps: results.map(({ name, outcome, about, notes, problems }) => ({
        name,
        outcome,
        about,
        notes,
        problems,
      })),
      remembers: remembers ?? null,
    },
    () =>
      initText(out, {
        found: asks ? undefined : found,
        files,
        results,
        remembers,
        surroundings,
      }),
  )
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}

function byAsking(a: SetupOffer, b: SetupOffer): number {
  return OFFER_NAMES.indexOf(a.name) - OFFER_NAMES.indexOf(b.name)
}

async function answerFor(offer: SetupOffer, options: InitFlags, asks: boolean): Promise<Answer> {
  const flag = options[offer.name]
  if (flag !== undefined) return flag ? 'yes' : 'no'
  if (options.yes) return offer.state === 'nothing' || offer.onlyNamed ? 'not_asked' : 'yes'
  if (asks && offer.state === 'open')
    return (await confirmed(offer.question, { usually: offer.usually ?? true })) ? 'yes' : 'no'
  // What lies in files of ours hurts nobody; the rest is for somebody to say.
  return offer.name === 'board' ? 'yes' : 'not_asked'
}

async function oneThing({ ralph }: Run<InitFlags>): Promise<RememberedThing | undefined> {
  const run = await rememberedRun(ralph.featureMemory)
  const { settings, paths, project } = ralph.config
  // Looking makes no database.
  if (run || (settings.storage.driver === 'sqlite' && !existsSync(paths.userDatabase))) return run
  return rememberedExchange(await ralph.openConversations(), project)
}

function stopped(cause: RalphError): RalphError {
  return new RalphError('cancelled', 'stopped half-way: what is done is whole, the rest is not begun', {
    hint: 'ralph init goes on from here; ralph uninstall takes it back.',
    cause,
  })
}
