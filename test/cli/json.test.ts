import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { JSON_PAGE, jsonPage } from '../../scripts/json-page.ts'
import { allCommandNames, JSON_CALLS, type JsonAnswer, jsonAnswers } from '../support/json-calls.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Exits 1 by its own rule, with a result: a check that failed, or a line that was not taken. */
const MAY_FAIL = ['doctor', 'knowledge import']

let answers: Map<string, JsonAnswer>
let names: string[]

beforeAll(async () => {
  const cleanUp: (() => Promise<void>)[] = []
  answers = await jsonAnswers(await temporaryFolder((undo) => cleanUp.push(undo)))
  names = await allCommandNames()
  return async () => {
    for (const undo of cleanUp) await undo()
  }
}, 300_000)

it('is asked of every command there is', () => {
  expect(Object.keys(JSON_CALLS).toSorted()).toEqual(names.toSorted())
})

it('is what every command prints, and nothing else', () => {
  const failed = [...answers]
    .filter(([name, { code }]) => code !== 0 && !MAY_FAIL.includes(name))
    .map(([name, { stderr }]) => `${name}: ${stderr}`)
  expect(failed).toEqual([])
  for (const [name, { values }] of answers) expect(values, name).not.toContain(undefined)
})

it('has the shapes that docs/json.md shows (npm run docs writes it)', () => {
  const { text, misspelled } = jsonPage(answers, names)
  expect(misspelled).toEqual([])
  expect(text).toBe(readFileSync(JSON_PAGE, 'utf8'))
})
