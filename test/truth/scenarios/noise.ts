import { type Scenario, says } from '../scenario.ts'
import { CRASH, edits, ends, fails, passes, status, TAX_FAILS } from './lines.ts'

const PAY = { id: 1, title: 'Add tax to payments', description: 'Prices in src/pay.ts are without tax.' }
const works = (lines: string, words: string) => `${lines}${status('in_progress')}${ends(words)}`
const slip = (tool: string, input: object, words: string) =>
  `call(${JSON.stringify(tool)}, ${JSON.stringify(input)}, ${JSON.stringify(`<tool_use_error>${words}</tool_use_error>`)}, true)\n`

/** What happens on the way in every run, and is no news about the project. */
export const NOISE: Scenario[] = [
  {
    name: 'slips with the tools',
    story:
      'The agent named a tool that does not exist, an edit did not match, a file had not been read. Then it went on.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        works(
          slip(
            'Edit',
            { file_path: '/shop/src/pay.ts' },
            'String to replace not found in file.\nString: total(',
          ) +
            slip('FetchUrl', {}, 'Error: No such tool available: FetchUrl') +
            slip(
              'Write',
              { file_path: '/shop/src/pay.ts' },
              'File has not been read yet. Read it first before writing to it.',
            ) +
            edits('src/pay.ts', 'export const tax = 0.2'),
          'Added the tax rate. Next: use it in total().',
        ),
      )
    },
    must: [says('what is next', /use it in total\(\)/)],
    mustNot: [says('a slip', /String to replace|No such tool|has not been read/i)],
  },
  {
    name: 'a person said no',
    story: 'A person declined one command of the agent, which went on with something else.',
    happens: async (world) => {
      await world.board(PAY)
      await world.run(
        1,
        works(
          `call('Bash', { command: 'rm -rf dist' }, "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).", true)\n${edits('src/pay.ts')}`,
          'Left dist alone and changed the price module.',
        ),
      )
    },
    must: [says('what it did', /price module/)],
    mustNot: [says('the refusal as an error', /want to proceed|was rejected/i)],
  },
  {
    name: 'a file made and removed by the same command',
    story: 'One command wrote a scratch file and removed it; another only listed files.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        works(
          passes('touch scratch.txt && node check.js > scratch.txt && rm scratch.txt') +
            `call('Glob', { pattern: 'src/*.ts' }, '/shop/src/listed.ts')\n${edits('src/pay.ts')}`,
          'Checked the prices.',
        ),
      )
    },
    must: [says('src/pay.ts was changed', /src\/pay\.ts/)],
    mustNot: [says('the scratch file', /scratch\.txt/), says('a file that was only listed', /listed\.ts/)],
  },
  {
    name: 'a failure behind a pipe',
    story: 'The agent ran the tests through tail, which ends well although they failed.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        works(edits('src/pay.ts') + passes('npx vitest run 2>&1 | tail -20', TAX_FAILS), 'Applied the rate.'),
      )
    },
    must: [says('the tax test fails', /expected 100 to be 120/)],
  },
  {
    name: 'words about errors are no errors',
    story: 'The agent spoke of error handling and of 0 errors. Nothing failed.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      await world.run(
        1,
        works(
          edits('src/pay.ts') + passes('npx eslint .', '0 errors, 0 warnings'),
          'Improved the error handling of payments: TypeErrors are caught now. ESLint reports 0 errors. Next: translate the messages.',
        ),
      )
    },
    must: [says('what is next', /translate the messages/)],
    mustNot: [says('an open error', /open error|\berror:/i)],
  },
  {
    name: 'a rate limit that passed',
    story:
      'The service refused twice, then answered, and the run ended well. The task was opened again by a person.',
    happens: async (world) => {
      await world.board(PAY)
      await world.replay(1, '04a-429-then-ok', { leaves: 'pending' })
    },
    mustNot: [
      says('an open error', /open error|\berror:/i),
      says('the service failed', /service (?:failed|refused)|rate limit ended/i),
    ],
  },
  {
    name: 'the same crash with other ids, times and temporary paths',
    story: 'Two runs met the same failure; only request id, time, port and temporary folder differ.',
    happens: async (world) => {
      await world.put('src/pay.ts', '')
      await world.board(PAY)
      for (const [id, folder, port] of [
        ['req_011CVab7Q', '/tmp/pay-x81kQ', 41_233],
        ['req_0997Zk2LL', '/tmp/pay-b0Ws2', 38_801],
      ] as const) {
        await world.run(
          1,
          works(
            edits('src/pay.ts') +
              fails(
                'node scripts/charge.js',
                `Error: charge refused by the ledger at ${folder}/ledger.db (request ${id}, port ${port})\n    at charge (${folder}/charge.js:9:11)\n`,
              ),
            `Tried to charge with ${id}.`,
          ),
        )
      }
    },
    must: [says('the error, once', /charge refused by the ledger/)],
  },
  {
    name: 'a crash told by the records and by the agent',
    story: 'A command crashed, and the agent quotes the same crash in its closing words.',
    happens: async (world) => {
      await world.put('src/login.ts', '')
      await world.board({ id: 1, title: 'Greet the visitor' })
      await world.run(
        1,
        works(
          edits('src/login.ts') + fails('node src/start.ts', CRASH),
          "It ends with TypeError: Cannot read properties of undefined (reading 'name'). The session has no user for strangers.",
        ),
      )
    },
    must: [says('the error, once', /reading 'name'/), says('what the agent found', /no user for strangers/)],
  },
]
