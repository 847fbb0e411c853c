import type { TruthWorld, WorldOptions } from './world.ts'

/** Something a reader of what memory says can hold against the story: words by which it is recognised. */
export interface Statement {
  /** In plain words, for the report. */
  says: string
  pattern: RegExp
}

/**
 * A story of runs, and what somebody who read it would say about what the next agent should be told. Written by hand: the
 * statements come from the story, not from what the product happens to print.
 */
export interface Scenario {
  name: string
  /** What happened, as a person would tell it. */
  story: string
  world?: WorldOptions
  happens(world: TruthWorld): Promise<void>
  /** What an agent is shown then; default: the prompt of task 1. */
  shown?(world: TruthWorld): Promise<string>
  /** Key facts. Each is told, and told once. */
  must?: Statement[]
  /** True as well, but nobody misses them; told once at the most. */
  may?: Statement[]
  /** False, or noise. */
  mustNot?: Statement[]
  /** Nothing at all is to be said. */
  silent?: boolean
}

export const says = (text: string, pattern: RegExp): Statement => ({ says: text, pattern })
