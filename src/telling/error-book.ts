import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import { dataLine } from '../text/quote.ts'

const SHORTEST_FORM = 20
const FEWEST_WORDS = 3

interface Listed {
  entry: LedgerEntry
  name: string
  forms: RegExp[]
}

/**
 * The errors a prompt lists. Wherever the words of a run quote one, a short name stands for it, and the list shows the name:
 * the message itself is told once. So whatever quotes comes to the book before the list is made.
 */
export class ErrorBook {
  readonly #listed: Listed[]
  readonly #used = new Set<string>()

  constructor(entries: readonly LedgerEntry[]) {
    this.#listed = entries.map((entry, index) => ({
      entry,
      name: `error ${index + 1}`,
      forms: formsOf(entry.message),
    }))
  }

  /** Names of those that this run's changes solved. */
  solvedBy(iteration: number): string[] {
    const solved = this.#listed.filter(({ entry: { life, solutions } }) => {
      return life === 'solved' && solutions.at(-1)?.by?.iteration === iteration
    })
    for (const { name } of solved) this.#used.add(name)
    return solved.map(({ name }) => name)
  }

  /** The name under which it was spoken of so far; undefined when it was not, and needs none. */
  usedNameOf(entry: LedgerEntry): string | undefined {
    const name = this.#listed.find((listed) => listed.entry === entry)?.name
    return name !== undefined && this.#used.has(name) ? name : undefined
  }

  /** The text with names in the place of the messages it quotes. */
  readonly elide = (text: string): string => {
    let result = text
    for (const { name, forms } of this.#listed) {
      for (const form of forms) {
        result = result.replace(form, () => {
          this.#used.add(name)
          return `[${name}]`
        })
      }
    }
    return result
  }

  /** Whether the text says again what one of the errors says. */
  repeats(text: string): boolean {
    return this.#listed.some(({ forms }) => forms.some((form) => new RegExp(form.source, 'i').test(text)))
  }
}

/** The message as people and agents quote it: whole, and without what stands before it, e.g. the place or the test. */
function formsOf(message: string): RegExp[] {
  const line = dataLine(message.trim().split('\n', 1)[0]!)
  const starts = [0, ...[...line.matchAll(/: /g)].map(({ index }) => index + 2)]
  return starts
    .map((start) => line.slice(start).replace(/[.\s]+$/, ''))
    .filter((form) => form.length >= SHORTEST_FORM && form.split(' ').length >= FEWEST_WORDS)
    .map((form) => new RegExp(patternOf(form), 'gi'))
}

/** Numbers change from run to run, quotation marks from writer to writer. */
function patternOf(form: string): string {
  return form
    .replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
    .replace(/\d+/g, '\\d+')
    .replace(/['"`‘’“”]/g, '[\'"`‘’“”]')
    .replace(/\s+/g, '\\s+')
}
