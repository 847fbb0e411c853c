/** Every prompt of the loop begins with this, so that its runs are told from a person's sessions wherever they turn up. */
export const LOOP_PROMPT_MARK = 'Ralph loop run:'

/** How prompts of the loop begin, and began before they carried the mark. */
export const LOOP_OPENINGS = [
  LOOP_PROMPT_MARK,
  'You are one of many iterations that work on this project',
  'You review the feature "',
] as const

/** Whether a text that a session begins with was written by the loop and not by a person. */
export function isLoopPrompt(text: string): boolean {
  const beginning = text.trimStart()
  return LOOP_OPENINGS.some((opening) => beginning.startsWith(opening))
}
/** Every refusal by a hook of ours begins with this, so that the record of the run does not take it for an error. */
export const STOP_ONCE_MARK = 'Ralph memory stopped this once:'
