import { createInterface } from 'node:readline/promises'
import { RalphError } from '../errors.ts'
import { forTerminal } from '../text/terminal.ts'
import { wrapLines } from '../text/wrap.ts'
import { columnsOf } from './width.ts'

/** What is typed stands behind the question. */
const ROOM_TO_TYPE = 5

/** Whether there is somebody who can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Asks on the terminal; without one nobody can answer, so the answer is no. `usually`: what Enter alone stands for. */
export async function confirmed(question: string, { usually = false } = {}): Promise<boolean> {
  return canAsk() && yesOrNo(question, usually)
}

/** Anything else than an answer is asked about again: a slip is no consent, and no refusal either. */
export async function yesOrNo(question: string, usually: boolean, streams?: Streams): Promise<boolean> {
  const asked = `${question} ${usually ? '[Y/n]' : '[y/N]'} `
  for (let shown = asked; ; shown = `Please answer y or n. ${asked}`) {
    const answer = await typedAnswer(shown, streams)
    if (answer === '') return usually
    if (/^(?:y(?:es)?|no?)$/i.test(answer)) return /^y/i.test(answer)
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
  if (!canAsk()) return undefined
  const answer = (await typedAnswer(question)).toLowerCase()
  return words.find((word) => word === answer)
}

export interface Streams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  terminal?: boolean
}

/** Whoever presses Ctrl-C, or closes the terminal, answers nothing: it ends there. */
export async function typedAnswer(
  question: string,
  streams: Streams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const prompt = createInterface(streams)
  const given = Promise.withResolvers<string>()
  prompt.on('SIGINT', () => prompt.close())
  prompt.on('close', () =>
    given.reject(
      new RalphError('cancelled', 'stopped at a question: nothing was done', {
        hint: 'The same command asks again.',
      }),
    ),
  )
  prompt
    .question(inColumns(forTerminal(question), columnsOf(streams.output)))
    .then(given.resolve, given.reject)
  try {
    return (await given.promise).trim()
  } catch (error) {
    streams.output.write('\n') // the question's own line ends here
    throw error
  } finally {
    prompt.close()
  }
}

/** A terminal would break it anywhere; the space at its end stays. */
function inColumns(question: string, columns: number | undefined): string {
  if (columns === undefined) return question
  const end = question.length - question.trimEnd().length
  return wrapLines(question.trimEnd(), columns - ROOM_TO_TYPE) + question.slice(question.length - end)
}
