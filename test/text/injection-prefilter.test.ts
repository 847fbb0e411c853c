import { describe, expect, it } from 'vitest'
import { findInjections } from '../../src/text/injection-phrases.ts'
import { mayInstruct } from '../../src/text/injection-prefilter.ts'
import { ENGLISH, OTHER_LANGUAGES, PHRASES } from '../../src/text/injection-vocabulary.ts'
import fc from '../support/fast-check.ts'

const one = (words: Iterable<string>) => fc.constantFrom(...words)

/** An instance of a phrase, word by word. */
const phrase = fc.constantFrom(...PHRASES).chain((slots) =>
  fc.tuple(
    ...slots.map(({ words, repeat }) =>
      fc.array(one(words), {
        minLength: repeat === '1' ? 1 : 0,
        maxLength: repeat === '*' ? 4 : 1,
      }),
    ),
  ),
)
const override = fc
  .tuple(
    one(ENGLISH.dismiss),
    fc.array(one(ENGLISH.filler), { maxLength: 4 }),
    one(ENGLISH.earlier),
    fc.array(one(ENGLISH.filler), { maxLength: 2 }),
    one(ENGLISH.instruction),
  )
  .map((parts) => [parts.flat()])
const foreign = fc
  .constantFrom(...OTHER_LANGUAGES)
  .chain((kinds) => fc.tuple(...kinds.map((kind) => one(kind))))
  .map((words) => [words])
const instruction = fc.oneof(phrase, override, foreign).map((parts) => parts.flat())

/** How people hide words from a filter. */
const DISGUISES: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => `"${word}`,
  (word) => `${word}|`,
  (word) => word.replaceAll('o', '0').replaceAll('e', '3'),
  (word) => (word.length > 3 ? `${word.slice(0, 2)}-${word.slice(2)}` : word),
]

describe('the quick look before the search for instructions', () => {
  it('misses nothing that is found by taking the text apart', () => {
    const disguised = fc.tuple(
      instruction,
      fc.array(fc.nat(DISGUISES.length - 1), { minLength: 30, maxLength: 30 }),
    )
    fc.assert(
      fc.property(disguised, ([words, how]) => {
        const text = `The build is green. ${words.map((word, at) => DISGUISES[how[at % 30]!]!(word)).join(' ')} now`
        // A letter from another script makes the quick look pass it on, and folds to the same word.
        const whole = findInjections(`${text} \u0430`)
        if (whole.length > 0) expect(mayInstruct(text), text).toBe(true)
        expect(findInjections(text)).toEqual(whole)
      }),
      { numRuns: 5_000 },
    )
  })

  it('lets ordinary text pass', () => {
    for (const text of [
      'Set the timeout to 120 s in net.ts. All tests pass — see “docs/cli.md”.',
      'You can take the rule of three here, and then remove the old index.',
    ]) {
      expect(mayInstruct(text)).toBe(false)
    }
  })
})
