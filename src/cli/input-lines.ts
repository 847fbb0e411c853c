import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/**
 * The lines of an input. Reading begins with the first line that is asked for: a line reader that is made earlier loses
 * what arrives before anybody listens, while memory is still being opened.
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}
