import { type JsonObject, parseObject } from '../text/json.ts'
import { copilotAnswer, dialectOf, hasDialect, specificOutput } from './agents/dialect.ts'
import { type HookInput, inputOf, LONGEST_INPUT } from './input.ts'

/** How a hook was called: by which program, for which of its events, and what it was told on standard input. */
export interface HookCalled {
  text: string
  /** Claude Code names it in what it tells. */
  event?: string | undefined
  /** Absent where Claude Code calls. */
  agent?: string | undefined
}

/** What was heard, in our own words, and how the one who said it is answered. */
export interface Heard {
  /** Undefined for anything that is no hook's input: then there is nothing to do. */
  input: HookInput | undefined
  /** Whether what is added on this event reaches the model. */
  hears: (event: string) => boolean
  answer: (saying: { event: string; text: string; stops: boolean }) => object
}

export async function heard({ text, event = '', agent }: HookCalled, env: NodeJS.ProcessEnv): Promise<Heard> {
  const said = text.length > LONGEST_INPUT ? undefined : parseObject(text)
  if (agent === undefined) return env['COPILOT_PROJECT_DIR'] ? heardByCopilot(said) : heardByClaude(said)
  if (!hasDialect(agent)) return heardByClaude(undefined)
  const dialect = await dialectOf(agent)
  const call = { event, env }
  const understood = said && dialect.understand(said, call)
  const input = understood && inputOf(understood)
  return {
    input: input && { ...input, agent },
    hears: (one) => dialect.hears.includes(one),
    answer: (saying) => dialect.answer({ ...saying, said: said ?? {}, call }),
  }
}

/**
 * Copilot runs the hooks in Claude Code's settings too: told in its words, it wants the answer in its own form besides. Of its
 * steps its own hooks tell, which may be there as well: told twice, they would count twice.
 */
function heardByCopilot(said: JsonObject | undefined): Heard {
  const { input, hears } = heardByClaude(said)
  const isStep = input?.tool !== undefined
  return {
    input: input && !isStep ? { ...input, agent: 'copilot' } : undefined,
    hears,
    answer: (saying) => ({ ...copilotAnswer(saying), ...specificOutput(saying) }),
  }
}

/** Claude Code's own words need no putting into others. */
export function heardByClaude(said: JsonObject | undefined): Heard {
  return { input: said && inputOf(said), hears: () => true, answer: specificOutput }
}
