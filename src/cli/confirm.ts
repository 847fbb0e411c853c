import { createInterface } from 'node:readline/promises'
import { forTerminal } from '../text/terminal.ts'

/** Asks on the terminal; without one nobody can answer, so the answer is no. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await prompt.question(forTerminal(`${question} [y/N] `))).trim())
  } finally {
    prompt.close()
  }
}

/** For what cannot be undone cheaply: the whole word is wanted. */
export async function typedYes(question: string): Promise<boolean> {
  return (await typedWord(question, ['yes'])) === 'yes'
}

/** Which of these words a person types; undefined for any other answer. */
export async function typedWord<Word extends string>(
  question: string,
  words: readonly Word[],
): Promise<Word | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = (await prompt.question(forTerminal(question))).trim().toLowerCase()
    return words.find((word) => word === answer)
  } finally {
    prompt.close()
  }
}
