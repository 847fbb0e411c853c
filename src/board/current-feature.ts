import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkoutRoot, textIfAny, worktreeFolder } from '../files/git-checkout.ts'
import { makeOwnFolder, requireOwnFolder, writeOwnFile } from '../files/own-files.ts'
import { announceChange, type ChoiceChange, noteChange } from '../noted-change.ts'
import { nameOrQuoted, quoted } from '../text/quote.ts'
import type { TaskStatus } from './task.ts'

/** Where work belongs that belongs to nothing in particular. */
export const GENERAL_FEATURE = 'general'

export type FeatureWitness = 'session' | 'choice' | 'branch' | 'worktree' | 'progress' | 'files' | 'default'

export interface CurrentFeature {
  name: string
  /** What told us. */
  by: FeatureWitness
  /** The same in words: `branch feature/auth-login`. */
  reason: string
}

export interface CurrentFeatureQuestion {
  project: string
  /** Features that exist: on the board, or with a journal. */
  features: readonly string[]
  /** Named by whoever started the agent. */
  session?: string | undefined
  /** Features that work is going on in; asked only when no name tells. */
  inProgress?: (() => readonly string[]) | undefined
  /** Files that the session touched, project-relative. */
  touched?: readonly string[] | undefined
  /** Files that each feature's iterations changed. */
  filesOf?: ((feature: string) => readonly string[]) | undefined
}

/**
 * Which feature a session belongs to that nobody started for a task: the one named for it, else the one chosen with
 * `ralph feature use`, else by the name of the branch or worktree, else the only one in progress, else by the files it
 * touches, else the general one.
 * Reads a few small files and starts no process: it runs before every tool call.
 */
export function currentFeature(question: CurrentFeatureQuestion): CurrentFeature {
  const { project, features, session } = question
  if (session !== undefined) return { name: session, by: 'session', reason: 'named for this session' }
  const chosen = chosenFeature(project)
  if (chosen !== undefined)
    return {
      name: chosen,
      by: 'choice',
      reason: `chosen with: ralph feature use ${nameOrQuoted(chosen, 100)}`,
    }
  const { branch, worktree } = gitNames(project)
  for (const [by, name] of [
    ['branch', branch],
    ['worktree', worktree],
  ] as const) {
    const match = name === undefined ? undefined : featureInName(name, features)
    if (match !== undefined) return { name: match, by, reason: `${by} ${quoted(name!, 100)}` }
  }
  const [underWay, ...others] = question.inProgress?.() ?? []
  if (underWay !== undefined && others.length === 0)
    return { name: underWay, by: 'progress', reason: 'the only feature in progress' }
  const owner = featureOfFiles(question)
  if (owner !== undefined) return { name: owner, by: 'files', reason: 'files touched in this session' }
  const reason =
    branch === undefined ? 'nothing names a feature' : `branch ${quoted(branch, 100)} names no feature`
  return { name: GENERAL_FEATURE, by: 'default', reason }
}

/** Work may be going on in a feature without tasks, and in one that has some left; a started task tells it from the others. */
export function featuresInProgress(
  features: readonly string[],
  tasks: readonly { feature: string; status: TaskStatus }[],
): string[] {
  const unfinished = features.filter((name) => {
    const own = tasks.filter(({ feature }) => feature === name)
    return (
      name !== GENERAL_FEATURE &&
      (own.length === 0 || own.some(({ status }) => status !== 'done' && status !== 'skipped'))
    )
  })
  const started = unfinished.filter((name) =>
    tasks.some(({ feature, status }) => feature === name && status === 'in_progress'),
  )
  return started.length > 0 ? started : unfinished
}

/** What `ralph feature use` stored, if anything. */
export function chosenFeature(project: string): string | undefined {
  return textIfAny(choiceFile(project))?.trim() || undefined
}

/** Stores the choice for this working copy; undefined forgets it. */
export function chooseFeature(project: string, feature: string | undefined): void {
  requireOwnFolder(dirname(choiceFile(project)))
  const before = chosenFeature(project)
  const change: ChoiceChange = { of: 'choice', before, after: feature }
  if (before !== feature) announceChange(change)
  if (feature === undefined) rmSync(choiceFile(project), { force: true })
  else {
    makeOwnFolder(dirname(choiceFile(project)))
    writeOwnFile(choiceFile(project), `${feature}\n`)
  }
  if (before !== feature) noteChange(change)
}

/** Ignored by git: it is one person's choice in one working copy. */
function choiceFile(project: string): string {
  return join(project, '.ralph', 'local', 'current-feature')
}

/** The branch, and the worktree's name where the project is one. */
function gitNames(project: string): { branch?: string; worktree?: string } {
  const root = checkoutRoot(project)
  if (root === undefined) return {}
  const own = worktreeFolder(root)
  const branch = textIfAny(join(own ?? join(root, '.git'), 'HEAD'))?.match(
    /^ref: refs\/heads\/(.+?)\s*$/,
  )?.[1]
  const isWorktree = own !== undefined && basename(dirname(own)) === 'worktrees'
  return { ...(branch && { branch }), ...(isWorktree && { worktree: basename(root) }) }
}

/** The feature whose words all stand, in order, in the name; the most telling one if several do. */
function featureInName(name: string, features: readonly string[]): string | undefined {
  const words = ` ${wordsOf(name).join(' ')} `
  return features
    .filter((feature) => wordsOf(feature).length > 0 && words.includes(` ${wordsOf(feature).join(' ')} `))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0]
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** The feature that knows most of the touched files, if one clearly does. */
function featureOfFiles({ features, touched = [], filesOf }: CurrentFeatureQuestion): string | undefined {
  if (touched.length === 0 || !filesOf) return undefined
  const [best, second] = features
    .map((feature) => {
      const known = new Set(filesOf(feature))
      return { feature, shared: touched.filter((path) => known.has(path)).length }
    })
    .sort((a, b) => b.shared - a.shared)
  return best && best.shared > (second?.shared ?? 0) ? best.feature : undefined
}
