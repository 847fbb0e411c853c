/** Under which licences others may have written what we ship, and what we only work with. */
import type { Finding } from './finding.ts'

/** Whoever installs the package may use, change and pass it on without opening what is theirs. */
export const ALLOWED = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/** What only builds and tests reaches nobody: changes to its own files would have to be open, and we make none. */
export const ALLOWED_FOR_TOOLS = [...ALLOWED, 'MPL-2.0']

/** Whether an SPDX expression leaves us a licence of the list: of `OR` one will do, of `AND` it takes all. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? []
  const alternatives = (): boolean => {
    let fine = together()
    while (words[0] === 'OR') {
      words.shift()
      fine = together() || fine
    }
    return fine
  }
  const together = (): boolean => {
    let fine = one()
    while (words[0] === 'AND') {
      words.shift()
      fine = one() && fine
    }
    return fine
  }
  const one = (): boolean => {
    const word = words.shift()
    if (word !== '(') return word !== undefined && allowed.includes(word)
    const fine = alternatives()
    return words.shift() === ')' && fine
  }
  const fine = alternatives()
  // What is left was not understood: an exception, a name of two words.
  return fine && words.length === 0
}

export function forbiddenLicences(
  parts: readonly { name: string; version: string; licence: string }[],
  allowed: readonly string[],
): Finding[] {
  return parts
    .filter(({ licence }) => !isAllowed(licence, allowed))
    .map(({ name, version, licence }) => ({
      wrong: `${name} ${version} is under "${licence || 'no licence'}", which is not on the list`,
      todo: 'use another package; only if its terms suit everybody who installs ours, add them in scripts/package/licences.ts',
    }))
}
