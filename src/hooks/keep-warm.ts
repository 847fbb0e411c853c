import { join } from 'node:path'
import { startBackground } from './background-start.ts'
import type { HookContext } from './context.ts'
import { hasConversations } from './has-conversations.ts'
import { helperIsThere } from './helper-address.ts'
import { claim } from './places.ts'

/** An agent's own steps: dozens in a session, so that a helper is worth its start. */
const STEPS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure'])
const TRIES_MS = 60_000

/** Before the first prompt, so that it need not wait; only where there are conversations to be found. */
export function startHelper({ config }: Pick<HookContext, 'config'>): void {
  if (hasConversations(config) && !helperIsThere(config.home)) startBackground(config, ['serve'])
}

/**
 * For a hook that had to load everything itself, on its way out: the next one finds a helper. Where the server of the session
 * answers, no such hook comes, and no helper is needed for it.
 */
export function keepWarm({ config, input, remembers }: HookContext): void {
  if (!STEPS.has(input.event) || !remembers || helperIsThere(config.home)) return
  if (claim(join(config.home, 'cache', 'hooks', 'helper'), TRIES_MS)) startBackground(config, ['serve'])
}
