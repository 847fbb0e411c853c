import { needs } from '../../support/needs.ts'
import { type Scenario, says } from '../scenario.ts'
import { edits, ends, passes, status } from './lines.ts'

const PAY = { id: 1, title: 'Add tax to payments', description: 'Prices in src/pay.ts are without tax.' }
const NOT_A_FAILED_ATTEMPT = [
  says('an attempt that failed', /failed attempt|did not work/i),
  says('an error of the project', /\berrors?\b.*(?:rate|limit|credit|key|overload|interrupt|kill|API)/i),
]

/** The agent had changed a file when this ended it. */
const halfway = (rest: string) => `${edits('src/pay.ts', 'export const tax = 0.2')}${rest}`
const refused = (words: string, reason: string) =>
  `say({ type: 'assistant', error: ${JSON.stringify(reason)}, is_api_error_message: true, message: { id: 'e', model: '<synthetic>', content: [{ type: 'text', text: ${JSON.stringify(words)} }] } })
end(${JSON.stringify(words)}, { is_error: true, terminal_reason: 'api_error' })
`

export const ENDINGS: Scenario[] = [
  {
    name: 'a rate limit ends a run that had changed a file',
    story: 'The agent edited src/pay.ts, then the service answered 429 for good.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(
        1,
        halfway(
          refused('API Error: Request rejected (429) · rate_limit_error: too many requests', 'rate_limit'),
        ),
      )
    },
    must: [
      says('a rate limit ended the last run', /rate.?limit/i),
      says('src/pay.ts was changed', /src\/pay\.ts/),
    ],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'an invalid key',
    story: 'The agent never got to work: the key is invalid.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '04f-401')
    },
    may: [says('the service refused the key', /key|authenticat/i)],
    mustNot: [...NOT_A_FAILED_ATTEMPT, says('something was tried', /\btried\b/i)],
  },
  {
    name: 'an empty account',
    story: 'The agent never got to work: the credit balance is too low.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '04i-credit')
    },
    may: [says('there was no credit', /credit/i)],
    mustNot: [...NOT_A_FAILED_ATTEMPT, says('something was tried', /\btried\b/i)],
  },
  {
    name: 'an overloaded service',
    story: 'The service answered 529 until the agent gave up. Nothing was changed.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '04c-529-forever')
    },
    may: [says('the service was overloaded', /overload|529/i)],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'the prompt was too long for the model',
    story: 'The service refused the prompt as too long.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '04g-prompt-too-long')
    },
    may: [says('the context was too long', /too long|context/i)],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'turns used up',
    story: 'The agent worked until its turns were used up; the CLI says error_max_turns.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '03-max-turns')
    },
    must: [says('its turns were used up', /turns?/i)],
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i)],
  },
  {
    name: 'budget used up',
    story: 'The run ended because its budget was used up.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '14-max-budget')
    },
    must: [says('its budget was used up', /budget/i)],
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i)],
  },
  {
    name: 'Ctrl-C in the middle',
    story: 'A person stopped the loop with Ctrl-C after the agent had changed src/pay.ts.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      const stop = new AbortController()
      const timer = setInterval(() => {
        if (world.events.some((event) => event.kind === 'activity')) stop.abort()
      }, 20)
      await world.run(1, halfway('await new Promise((resolve) => setTimeout(resolve, 60_000))\n'), {
        signals: { stop: stop.signal },
      })
      clearInterval(timer)
    },
    must: [
      says('it was stopped from outside', /interrupted|stopped|Ctrl-C/i),
      says('src/pay.ts was changed', /src\/pay\.ts/),
    ],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'the agent is killed',
    story: 'Something killed the agent (SIGKILL) after it had changed src/pay.ts.',
    happens: async (world) => {
      needs('signals')
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(1, halfway("process.kill(process.pid, 'SIGKILL')\n"))
    },
    must: [says('it was killed', /kill/i), says('src/pay.ts was changed', /src\/pay\.ts/)],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'the time limit',
    story: 'The run took longer than its time limit; we ended it. It had changed src/pay.ts.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(
        1,
        halfway(
          'setInterval(() => say({ type: "system", subtype: "status" }), 50)\nawait new Promise(() => {})\n',
        ),
        {
          timeLimitMs: 600,
        },
      )
    },
    must: [says('its time was up', /time/i), says('src/pay.ts was changed', /src\/pay\.ts/)],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'the agent is killed in the middle of an edit',
    story:
      'Something killed the agent after it had called for an edit of src/pay.ts, before the result came.',
    happens: async (world) => {
      needs('signals')
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(
        1,
        `say({ type: 'assistant', message: { id: 'm', model: 'claude-haiku-4-5', content: [{ type: 'tool_use', id: 't', name: 'Edit', input: { file_path: process.cwd() + '/src/pay.ts', old_string: '100', new_string: '120' } }] } })
process.kill(process.pid, 'SIGKILL')
`,
      )
    },
    must: [says('it was killed', /kill/i), says('it was changing src/pay.ts', /just changing src\/pay\.ts/)],
    mustNot: [
      ...NOT_A_FAILED_ATTEMPT,
      says('nothing was changed', /no file was changed/i),
      says('the file was changed', /had changed src\/pay\.ts/),
    ],
  },
  {
    name: 'silence',
    story: 'The agent changed src/pay.ts, then printed nothing until we ended it.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(1, halfway('await new Promise((resolve) => setTimeout(resolve, 60_000))\n'), {
        silenceLimitMs: 600,
      })
    },
    must: [
      says('it was silent', /silen|no output|without output/i),
      says('src/pay.ts was changed', /src\/pay\.ts/),
    ],
    mustNot: NOT_A_FAILED_ATTEMPT,
  },
  {
    name: 'permissions refused everything',
    story: 'Every action of the agent needed an approval that nobody could give.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '10-permission-denied')
    },
    must: [says('it was not allowed to act', /permission|not allowed|refused|approval/i)],
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i)],
  },
  {
    name: 'worked, was not done, and said what is next',
    story: 'The agent changed src/pay.ts, set the task to in_progress and said what is left.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY)
      await world.run(
        1,
        `${edits('src/pay.ts', 'export const tax = 0.2')}${status('in_progress')}${ends('Added the tax rate.\n\nNext: apply the rate in total() and add a test for zero-rated goods.')}`,
      )
    },
    must: [
      says('the tax rate was added', /tax rate/i),
      says('src/pay.ts was changed', /src\/pay\.ts/),
      says('what is next', /zero-rated goods/i),
    ],
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i)],
  },
  {
    name: 'done is not told as a failure',
    story: 'Task 2 was done in one run without any trouble. Task 1 has never been tried.',
    happens: async (world) => {
      await world.put('src/pay.ts', 'export const price = 100\n')
      await world.board(PAY, { id: 2, title: 'Rename the price constant' })
      await world.run(
        2,
        `${edits('src/pay.ts')}${passes('npm test', 'ok')}${status('done')}${ends('Renamed it.')}`,
      )
    },
    mustNot: [
      says('a run on this task', /last run/i),
      says('an attempt that failed', /failed attempt|did not work/i),
    ],
  },
]
