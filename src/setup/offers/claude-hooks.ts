import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hooksFile,
  installedHooks,
  setUpHooks,
} from '../../agent-config/hooks.ts'
import { isRalphError, RalphError } from '../../errors.ts'
import type { Ralph } from '../../ralph.ts'
import { isIgnored, isTracked, keepPrivate } from '../git-private.ts'
import { isForOneRun, reachOf } from '../installation.ts'
import { shownPath, stepOf } from '../step.ts'
import type { Surroundings } from '../surroundings.ts'
import type { HooksPart } from './hooks.ts'
import type { Accepted, Problem } from './offer.ts'

/** Claude Code's hooks, in the settings of this working copy: nobody else is made to run them. */
export async function claudeHooksPart(ralph: Ralph, surroundings: Surroundings): Promise<HooksPart> {
  const { agents, plugin, searchPath } = surroundings
  const found = await lookAtScopes(ralph)
  const whole = found.find(({ events }) => events >= CLAUDE_HOOKS.length)
  const target = found.find(({ events }) => events > 0) ?? found.find(({ scope }) => scope === 'local')!
  const usesClaude = agents.some(({ client }) => client === 'claude-code')
  const there = plugin ? "by Claude Code's plugin" : whole && `in ${whole.name}`
  return {
    label: 'Claude Code',
    name: target.name,
    state: there ? 'there' : target.problem ? 'blocked' : usesClaude ? 'open' : 'nothing',
    there,
    problem: target.problem,
    accept: () => addHooks(ralph, target, searchPath),
  }
}

interface LookedAtScope {
  scope: HookScope
  file: string
  name: string
  /** How many of ours are there. */
  events: number
  problem?: Problem
}

async function lookAtScopes({ config }: Ralph): Promise<LookedAtScope[]> {
  const found: LookedAtScope[] = []
  for (const scope of HOOK_SCOPES) {
    const file = hooksFile(scope, config)
    const one = { scope, file, name: shownPath(file, config.project) }
    try {
      found.push({ ...one, events: (await installedHooks({ ...config, file }))?.length ?? 0 })
    } catch (error) {
      if (!isRalphError(error)) throw error
      found.push({ ...one, events: 0, problem: { message: error.message, hint: error.hint } })
    }
  }
  return found
}

/** Hooks call ralph at every step, long after npx has gone. */
export function requireLasting(project: string, searchPath: string | undefined): void {
  if (reachOf({ project, searchPath }) !== 'for_one_run') return
  throw new RalphError(
    'missing_dependency',
    'hooks need ralph to be installed: npx has fetched it for this once',
    {
      hint: 'npm install --global ralph-memory, then: ralph init --hooks',
    },
  )
}

async function addHooks(
  ralph: Ralph,
  { scope, file, name }: LookedAtScope,
  searchPath: string | undefined,
): Promise<Accepted> {
  const { config } = ralph
  const shared = scope !== 'user' && isTracked(config.project, file)
  // In a file that is committed nothing may name a path of this machine, and nowhere one that npm tidies away.
  const portable = shared || scope === 'project' || isForOneRun()
  const result = await setUpHooks({ ...config, scope, shared, portable, searchPath })
  const files = [stepOf(result, config.project)]
  if (scope === 'local' && !shared && !isIgnored(config.project, file))
    files.push(...(await keepPrivate(config, file)))
  return { about: `in ${name}`, files }
}
