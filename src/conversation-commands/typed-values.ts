import { InvalidArgumentError } from 'commander'
import { UsageError } from '../errors.ts'
import { pastTime } from '../text/past-time.ts'

/** What people type behind an option, as a value; whoever typed something else is told what it must be. */

export function parseWholeNumber(name: string, from = 0): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= from) return value
    throw new InvalidArgumentError(`${name} must be a whole number from ${from}.`)
  }
}

export function parseFraction(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value >= 0 && value <= 1) return value
    throw new InvalidArgumentError(`${name} must be a number from 0 to 1.`)
  }
}

export function parseOneOf<Choice extends string>(
  name: string,
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    if ((choices as readonly string[]).includes(text)) return text as Choice
    throw new InvalidArgumentError(`${name} must be one of: ${choices.join(', ')}.`)
  }
}

/** For an option that may be given several times. */
export function collectOneOf<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  /** Those that are understood, if more than are told of. */
  understood: readonly Choice[] = choices,
): (text: string, earlier?: readonly Choice[]) => Choice[] {
  return (text, earlier = []) => {
    const known = understood.find((one) => one === text)
    return [...earlier, known ?? parseOneOf(name, choices)(text)]
  }
}

export function parseTime(name: string): (text: string) => string {
  return (text) => {
    const time = pastTime(text)
    if (time) return time.toISOString()
    throw new InvalidArgumentError(
      `${name} must be a date such as 2026-02-07, or a time ago such as 3d or "2 weeks".`,
    )
  }
}

/** What somebody looks for, in one or in several words; blanks alone are none. */
export function typedQuestion(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text !== '') return text
  throw new UsageError(
    'the search text is empty',
    'Say what you look for in words, e.g. "why did the login form break"',
  )
}
