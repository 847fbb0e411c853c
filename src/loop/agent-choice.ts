import type { Discipline } from '../board/discipline.ts'
import type { Task } from '../board/task.ts'
import { AGENTS, type AgentName } from '../transcripts/agents.ts'
import { agentDemand } from '../trust/board-demands.ts'
import { agentProgram } from './agent/command.ts'
import { claudeCodeProgram } from './agent/programs/claude-code.ts'
import type { AgentProgram } from './agent/programs/program.ts'
import { PROGRAMS } from './agent/programs/programs.ts'
import type { LoopOptions, LoopParts } from './parts.ts'

/** Who works in an iteration. */
export interface ChosenAgent {
  words: readonly string[]
  /** Undefined for a command that is none of the programs we know. */
  program: AgentProgram | undefined
  /** It is the loop's own, not one that the board names. */
  isOwn: boolean
}

/** Which agent works on which task: the one it names, or its discipline, or the loop's own. */
export class AgentChoice {
  readonly #own: ChosenAgent
  readonly #settings: LoopParts['settings']
  readonly #unusable = new Map<AgentName | 'own', string>()

  constructor(words: readonly string[], settings: LoopParts['settings']) {
    this.#own = { words, program: agentProgram(words), isOwn: true }
    this.#settings = settings
  }

  get own(): ChosenAgent {
    return this.#own
  }

  for({ agent, discipline }: Task, disciplines: readonly Discipline[]): ChosenAgent {
    const name = agent ?? disciplines.find((one) => one.name === discipline)?.agent
    if (name === undefined || name === this.#own.program?.name) return this.#own
    return { words: [AGENTS[name].program], program: PROGRAMS[name], isOwn: false }
  }

  /** Why this one does not work in this loop; undefined when it may. */
  whyNot(chosen: ChosenAgent): string | undefined {
    if (!chosen.isOwn && !this.#settings.isTrusted(agentDemand(chosen.program!.name)))
      return `the board names ${chosen.program!.name}, which nobody has trusted here: ralph trust`
    return this.#unusable.get(keyOf(chosen))
  }

  /** Its tasks wait; those of others go on. */
  drop(chosen: ChosenAgent, reason: string): void {
    this.#unusable.set(keyOf(chosen), reason)
  }
}

function keyOf({ isOwn, program }: ChosenAgent): AgentName | 'own' {
  return isOwn || !program ? 'own' : program.name
}

/** The model for a run; the loop's own is for its own agent. */
export function modelFor(
  { program = claudeCodeProgram, isOwn }: ChosenAgent,
  { model, reviewModel }: Pick<LoopOptions, 'model' | 'reviewModel'>,
  review: boolean,
): string | undefined {
  if (!isOwn) return review ? program.reviewModel : undefined
  return review ? (reviewModel ?? program.reviewModel ?? model) : model
}
