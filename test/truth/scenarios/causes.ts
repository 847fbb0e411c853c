import { type Scenario, says } from '../scenario.ts'
import {
  CRASH,
  edits,
  ends,
  fails,
  passes,
  status,
  TAX_FAILS,
  TAX_PASSES,
  TAX_SKIPPED,
  TYPE_ERROR,
} from './lines.ts'

const PAY = { id: 1, title: 'Add tax to payments', description: 'Prices in src/pay.ts are without tax.' }
const CART = { id: 2, title: 'Show the cart', description: 'The cart in src/cart.ts is empty.' }
const TAX_ERROR = says('the tax test fails', /expected 100 to be 120/)
const STILL_OPEN = /\bopen\b[^\n]*expected 100 to be 120|expected 100 to be 120[^\n]*\bopen\b/i
const SOLVED = says('it was solved', /solved|overcome|fixed by|solution/i)

const failsTax = (words: string) =>
  `${edits('src/pay.ts')}${fails('npx vitest run', TAX_FAILS)}${status('in_progress')}${ends(words)}`
const solvesTax = (words: string, then = 'done') =>
  `${edits('src/tax.ts', 'export const rate = 0.2')}${passes('npx vitest run', TAX_PASSES)}${status(then)}${ends(words)}`

export const CAUSES: Scenario[] = [
  {
    name: 'a task that failed twice',
    story: 'Two runs left the same test failing; the third is about to begin.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(1, failsTax('Rounded the result to cents, the test still fails.'))
    },
    must: [
      TAX_ERROR,
      says('the first try', /Multiplied the price/),
      says('the second try', /Rounded the result/),
    ],
    mustNot: [SOLVED],
  },
  {
    name: 'failed twice, then solved by evidence, then opened again',
    story:
      'The third run made the failing test pass by a change in src/tax.ts; a person opened the task again for something else.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(1, failsTax('Rounded the result to cents, the test still fails.'))
      await world.run(1, solvesTax('The rate comes from src/tax.ts now.'), { leaves: 'pending' })
    },
    must: [
      says(
        'solved in iteration 3',
        /(?:solved|passes)[^\n]*(?:iteration )?3|iteration 3[^\n]*(?:solved|passes|done)/i,
      ),
    ],
    may: [TAX_ERROR],
    mustNot: [says('the error is open', STILL_OPEN)],
  },
  {
    name: 'a failing test that was skipped is not solved',
    story: 'Run 1 left the tax test failing. Run 2 marked it as skipped, and the rest passed.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(
        1,
        `${edits('test/pay.test.ts', 'it.skip')}${passes('npx vitest run', TAX_SKIPPED)}${status('in_progress')}${ends('All tests pass now.')}`,
      )
    },
    must: [says('the first try', /Multiplied the price/)],
    may: [TAX_ERROR, says('what the run said', /All tests pass now/)],
    mustNot: [SOLVED],
  },
  {
    name: 'a failing test that was skipped in the same run is not solved',
    story:
      'One run met the failing tax test, marked it as skipped, and the rest passed. The task is open still.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        `${edits('src/pay.ts')}${fails('npx vitest run', TAX_FAILS)}${edits('test/pay.test.ts', 'it.skip')}${passes('npx vitest run', TAX_SKIPPED)}${status('in_progress')}${ends('Cleaned up.')}`,
      )
    },
    may: [TAX_ERROR, says('what the run said', /Cleaned up/)],
    mustNot: [SOLVED],
  },
  {
    name: 'a success that never ran the check proves nothing',
    story:
      'Run 1 left the test failing. Run 2 wrote documentation for the same task and set it to in_progress, no check ran.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(
        1,
        `${edits('docs/pay.md', 'Tax is added.')}${status('done')}${ends('Wrote the documentation of payments.')}`,
        {
          leaves: 'pending',
        },
      )
    },
    must: [TAX_ERROR],
    mustNot: [SOLVED],
  },
  {
    name: 'an error fixed by a run of another task',
    story:
      'Task 1 left the tax test failing. Task 2 ran the same tests and they passed after it changed src/tax.ts. Task 1 is next.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY, CART)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(2, solvesTax('Shared the rate with the cart.'))
    },
    must: [says('iteration 2 made it pass', /(?:solved|passes)[^\n]*2|iteration 2/i)],
    may: [TAX_ERROR],
    mustNot: [says('the error is open', STILL_OPEN)],
  },
  {
    name: 'another error fixed later is no cause',
    story:
      'Task 1 failed on the tax test. Task 2 met a type error in src/cart.ts and made tsc pass. The tax test never ran again.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.put('src/cart.ts', '')
      await world.board(PAY, CART)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(
        2,
        `${fails('npx tsc --noEmit', TYPE_ERROR)}${edits('src/cart.ts')}${passes('npx tsc --noEmit')}${status('done')}${ends('Parsed the quantity before it is added.')}`,
      )
    },
    must: [TAX_ERROR],
    mustNot: [SOLVED, says("the cart's error", /TS2322/), says("the cart's fix", /Parsed the quantity/)],
  },
  {
    name: 'a relapse',
    story: 'The tax test failed, run 2 solved it in src/tax.ts, run 3 made it fail again.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(1, failsTax('Multiplied the price by 1.2 in pay(), the test still fails.'))
      await world.run(1, solvesTax('The rate comes from src/tax.ts now.', 'in_progress'))
      await world.run(1, failsTax('Moved the rate into the database.'))
    },
    must: [
      TAX_ERROR,
      says('it came back', /came back|again|back in/i),
      says('what held before', /src\/tax\.ts/),
    ],
  },
  {
    name: 'solved within the run that met it',
    story:
      'The test failed, the agent changed src/tax.ts, the test passed, the task was done. Opened again later.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        `${fails('npx vitest run', TAX_FAILS)}${solvesTax('The rate comes from src/tax.ts now.')}`,
        { leaves: 'pending' },
      )
    },
    may: [TAX_ERROR],
    mustNot: [
      says('the error is open', STILL_OPEN),
      says('an attempt that failed', /failed attempt|did not work/i),
    ],
  },
  {
    name: 'errors of a task that shares nothing',
    story: 'Task 2 crashed in src/login.ts. Task 1 is about payments and has never been tried.',
    happens: async (world) => {
      await world.put('src/login.ts', '')
      await world.board(PAY, {
        id: 2,
        title: 'Greet the visitor',
        description: 'src/login.ts greets by name.',
      })
      await world.run(
        2,
        `${edits('src/login.ts')}${fails('node src/start.ts', CRASH)}${status('in_progress')}${ends('Greeting crashes for strangers.')}`,
      )
    },
    mustNot: [says("the other task's error", /reading 'name'/)],
  },
  {
    name: 'two tasks that share a file',
    story: 'Task 2 crashed in src/login.ts and left it open. Task 1 is about the same file.',
    happens: async (world) => {
      await world.put('src/login.ts', '')
      await world.board(
        { id: 1, title: 'Log out after an hour', description: 'Sessions in src/login.ts never end.' },
        { id: 2, title: 'Greet the visitor', description: 'src/login.ts greets by name.' },
      )
      await world.run(
        2,
        `${edits('src/login.ts')}${fails('node src/start.ts', CRASH)}${status('in_progress')}${ends('Greeting crashes for strangers.')}`,
      )
    },
    must: [says('the error in the shared file', /reading 'name'/)],
  },
  {
    name: 'one TypeError in five runs',
    story: 'Five runs in a row crashed in the same way, at other lines and with other words around it.',
    happens: async (world) => {
      await world.put('src/login.ts', '')
      await world.board({ id: 1, title: 'Greet the visitor', description: 'src/login.ts greets by name.' })
      for (const line of [42, 44, 51, 58, 63]) {
        await world.run(
          1,
          `${edits('src/login.ts')}${fails('node src/start.ts', CRASH.replaceAll('42', String(line)))}${status('in_progress')}${ends(`Tried guard number ${line}.`)}`,
        )
      }
    },
    must: [says('the error, once', /reading 'name'/), says('how often', /\b5 iterations|five/i)],
    mustNot: [SOLVED],
  },
  {
    name: 'an empty memory',
    story: 'Nothing has ever run.',
    happens: (world) => world.board(PAY),
    silent: true,
  },
]
