import { afterAll, describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../src/text/tokens.ts'
import { type Grade, grade, report } from './grade.ts'
import type { Scenario } from './scenario.ts'
import { CAUSES } from './scenarios/causes.ts'
import { ENDINGS } from './scenarios/endings.ts'
import { HOOKS } from './scenarios/hooks.ts'
import { KNOWLEDGE } from './scenarios/knowledge.ts'
import { LEARNED } from './scenarios/learned.ts'
import { NOISE } from './scenarios/noise.ts'
import { REVIEWS } from './scenarios/reviews.ts'
import { truthWorld } from './world.ts'

const SCENARIOS: Scenario[] = [
  ...ENDINGS,
  ...CAUSES,
  ...NOISE,
  ...LEARNED,
  ...REVIEWS,
  ...KNOWLEDGE,
  ...HOOKS,
]

const grades: Grade[] = []
const keyFacts = SCENARIOS.reduce((sum, { must = [] }) => sum + must.length, 0)

describe('what memory says', () => {
  it.each(SCENARIOS)('$name', async (scenario) => {
    const world = await truthWorld(scenario.world)
    try {
      await scenario.happens(world)
      const shown = await (scenario.shown?.(world) ?? world.prompt())
      const records = await world.records()
      const errors = records.flatMap((record) => record.errors.map(({ message }) => message))
      const tokenizer = await loadTokenizer()
      const graded = grade(scenario, shown, errors, (text) => tokenizer.count(text))
      grades.push(graded)
      if (process.env['TRUTH_SHOW']) console.log(`=== ${scenario.name}\n${shown}\n`, graded)
      expect({ false: graded.false, repeated: graded.repeated }).toEqual({ false: [], repeated: [] })
    } finally {
      await world.close()
    }
  })

  it('tells at least 95 % of the key facts', () => {
    expect(grades.reduce((sum, { told }) => sum + told, 0) / keyFacts).toBeGreaterThanOrEqual(0.95)
  })

  afterAll(() => console.log(report(grades, keyFacts)))
})
