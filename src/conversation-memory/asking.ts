import { UNSPACED_SCRIPTS } from '../text/words.ts'
import { withoutSpeaker } from './speakers.ts'

/** How an exchange ends in a question: it is nothing but the message that asks, or it says other things before. */
export type Asking = 'only' | 'last'

/** Followed by quotes, brackets or emoji at most. */
const QUESTION = /[?？؟][^\p{L}\p{N}]*$/u
/** "[a photo of a dog]": what a chat notes after what was said. */
const NOTE = /(?:\[[^[\]]*\]|\([^()]*\))$/
/** So much of the end is looked at. */
const END_CHARACTERS = 400
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** "Yeah, totally!" in answer to something: nobody looks for that. */
const FEWEST_WORDS = 6
/** Longer texts say something, whatever they are made of. */
const LONGEST_BRIEF = 60

/** Whether the last of these messages leaves a question open. */
export function askingOf(messages: readonly string[]): Asking | undefined {
  const said = messages.filter((message) => message.trim() !== '')
  const end = said.at(-1)?.slice(-END_CHARACTERS).trimEnd().replace(NOTE, '')
  if (end === undefined || !QUESTION.test(end)) return undefined
  return said.length === 1 ? 'only' : 'last'
}

/** Whether all of them together hardly say anything. */
export function isBrief(messages: readonly string[]): boolean {
  const said = messages.map(withoutSpeaker).join(' ')
  // Without spaces nobody knows how many words there are.
  if (said.length > LONGEST_BRIEF || said.match(UNSPACED_SCRIPTS())) return false
  return (said.match(WORD) ?? []).length < FEWEST_WORDS
}
