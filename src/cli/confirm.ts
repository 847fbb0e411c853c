import { createInterface } from 'node:readline/promises'

/** Asks on the terminal; without one nobody can answer, so the answer is no. */
export async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim())
  } finally {
    prompt.close()
  }
}

/** For what cannot be undone cheaply: the whole word is wanted. */
export async function typedYes(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await prompt.question(question)).trim().toLowerCase() === 'yes'
  } finally {
    prompt.close()
  }
}
