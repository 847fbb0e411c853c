import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Scenario, says } from '../scenario.ts'
import { memoryOnly } from '../world.ts'
import { edits, ends, fails, passes, status, TAX_FAILS, TAX_PASSES } from './lines.ts'

const PAY = { id: 1, title: 'Add tax to payments', description: 'Prices in src/pay.ts are without tax.' }
const RATE_LIMITED = `refuse('API Error: Request rejected (429) · rate_limit_error: too many requests')\n`
const KEEPS_ITS_PROMPT = "writeFileSync('.ralph/cache/review.md', prompt)\n"

export const REVIEWS: Scenario[] = [
  {
    name: 'a reviewer sets a task back',
    story: 'The task was done. A review found that refunds are missing and set it back with a comment.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        `${edits('src/pay.ts')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('Tax is added.')}`,
      )
      await world.ralph.board.addComment(1, {
        author: 'review',
        text: 'Refunds are still without tax: src/refund.ts was forgotten.',
      })
      await world.ralph.board.patchTask(1, { status: 'pending' })
    },
    shown: async (world) => (await world.ralph.loop.prompt(1, { budget: 8_000 })).text,
    must: [says('why it came back', /Refunds are still without tax/)],
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i)],
  },
  {
    name: 'a person rejects at a gate',
    story: 'The task was done and waited at a gate; a person sent it back with feedback.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        `${edits('src/pay.ts')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('Tax is added.')}`,
      )
      const knowledge = await world.ralph.openKnowledge()
      const [gate] = await knowledge.gates.waiting({ project: world.project })
      await knowledge.gates.reject(gate!.id, {
        feedback: 'The rate must be read per country, not fixed at 20 %.',
      })
      await world.ralph.board.patchTask(1, { status: 'pending' })
    },
    world: { gate: 'review' },
    must: [says("the person's words", /read per country/)],
  },
  {
    name: 'what a reviewer is shown',
    story:
      'One run left a test failing, one was refused by the service, the third solved it. Then the review begins.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY, { id: 2, title: 'Show the cart' })
      await world.run(
        1,
        `${edits('src/pay.ts')}${fails('npx vitest run', TAX_FAILS)}${status('in_progress')}${ends('Applied the rate to net prices, the test still fails.')}`,
      )
      await world.run(1, RATE_LIMITED)
      await world.run(
        1,
        `${edits('src/tax.ts')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('The rate comes from src/tax.ts now.')}`,
      )
      await world.run(2, `${KEEPS_ITS_PROMPT}${ends('Looked at everything.')}`, {
        reviewEvery: 3,
        task: undefined,
      })
    },
    shown: async (world) => memoryOnly(await readFile(join(world.project, '.ralph/cache/review.md'), 'utf8')),
    must: [says('the first run', /net prices/), says('the third run', /rate comes from src\/tax\.ts/)],
    mustNot: [
      says(
        'the error is open',
        /(?:open|keep)[^\n]*expected 100 to be 120|expected 100 to be 120[^\n]*\bopen\b/i,
      ),
    ],
  },
]
