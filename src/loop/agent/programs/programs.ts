import { AGENTS, type AgentName, agentCalled, isAgentName } from '../../../transcripts/agents.ts'
import { claudeCodeProgram } from './claude-code.ts'
import { codexProgram } from './codex.ts'
import { copilotProgram } from './copilot.ts'
import { geminiProgram } from './gemini.ts'
import { opencodeProgram } from './opencode.ts'
import { piProgram } from './pi.ts'
import type { AgentProgram } from './program.ts'
import { qwenProgram } from './qwen.ts'

export const PROGRAMS: Readonly<Record<AgentName, AgentProgram>> = {
  'claude-code': claudeCodeProgram,
  codex: codexProgram,
  gemini: geminiProgram,
  opencode: opencodeProgram,
  qwen: qwenProgram,
  copilot: copilotProgram,
  pi: piProgram,
}

/** They start a package or a program that is named behind them. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpx'])

/** A configured command, taken apart: whose program it is, what starts it, and a person's own words behind. */
export interface NamedProgram {
  /** Undefined for any other command. */
  program: AgentProgram | undefined
  launcher: readonly string[]
  own: readonly string[]
}

export function namedProgram(words: readonly string[]): NamedProgram {
  const [first = ''] = words
  const at = RUNNERS.has(first) ? words.findIndex((word, index) => index > 0 && !word.startsWith('-')) : 0
  const word = words[at] ?? ''
  const named = agentCalled(word)
  const program = named
    ? PROGRAMS[named]
    : Object.values(PROGRAMS).find((one) => one.package === unversioned(word))
  // A name from our list may not be what the program is called.
  const launcher = isAgentName(first) ? [AGENTS[first].program] : words.slice(0, at + 1)
  return { program, launcher, own: words.slice(at + 1) }
}

/** `@openai/codex@0.166.0` without its version. */
function unversioned(word: string): string {
  return word.replace(/(?<=.)@[^/]*$/, '')
}
