import { type Scenario, says } from '../scenario.ts'
import type { TruthWorld } from '../world.ts'
import { edits, ends, fails, passes, status, TAX_FAILS, TAX_PASSES } from './lines.ts'

const PAY = { id: 1, title: 'Add tax to payments', description: 'Prices in src/pay.ts are without tax.' }
const fails1 = `${edits('src/pay.ts')}${fails('npx vitest run', TAX_FAILS)}${status('in_progress')}${ends('The test still fails.')}`
const solves = `${edits('src/tax.ts', 'export const rate = 0.2')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('The rate comes from src/tax.ts now: pay() had its own copy of it.')}`
const RATE_LIMITED = `refuse('API Error: Request rejected (429) · rate_limit_error: too many requests')\n`

/** What was learned by itself, as it is shown to people and agents. */
const learnings = async (world: TruthWorld) =>
  (await world.ralph.learnings.list('shop')).map(({ text }) => text).join('\n')

export const LEARNED: Scenario[] = [
  {
    name: 'an error that took several runs is a learning, with what solved it',
    story: 'Two runs left the tax test failing, the third solved it in src/tax.ts.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, fails1)
      await world.run(1, fails1)
      await world.run(1, solves)
    },
    shown: learnings,
    must: [says('what goes wrong', /expected 100 to be 120/), says('what solved it', /src\/tax\.ts/)],
  },
  {
    name: 'an error met and overcome in one run is no learning',
    story: 'The test failed once and passed after an edit, all in one run.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, fails('npx vitest run', TAX_FAILS) + solves)
    },
    shown: learnings,
    silent: true,
  },
  {
    name: 'an error nobody solved is no learning',
    story: 'Three runs left the same test failing.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      for (let run = 0; run < 3; run++) await world.run(1, fails1)
    },
    shown: learnings,
    silent: true,
  },
  {
    name: 'trouble of the service is no learning',
    story: 'Three runs were refused by the service.',
    happens: async (world) => {
      await world.board(PAY)
      for (let run = 0; run < 3; run++) await world.run(1, RATE_LIMITED)
    },
    shown: learnings,
    silent: true,
  },
  {
    name: 'a learning and the ledger say it once',
    story: 'As above: two runs failed, the third solved it; the task is opened again.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, fails1)
      await world.run(1, fails1)
      await world.run(1, solves, { leaves: 'pending' })
    },
    must: [
      says('what solved it', /(?:solved|passes)[^\n]*src\/tax\.ts|src\/tax\.ts[^\n]*(?:solved|passes)/i),
    ],
    may: [says('what went wrong', /expected 100 to be 120/)],
    mustNot: [
      says('the error is open', /\bopen\b[^\n]*expected 100 to be 120|expected 100 to be 120[^\n]*\bopen\b/i),
    ],
  },
]
