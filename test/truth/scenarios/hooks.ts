import { join } from 'node:path'
import { type Scenario, says } from '../scenario.ts'
import type { TruthWorld } from '../world.ts'
import { CRASH, edits, ends, fails, passes, status, TAX_FAILS, TAX_PASSES } from './lines.ts'

const PAY = {
  id: 1,
  title: 'Add tax to payments',
  description: 'Prices in src/pay.ts are without tax.',
  status: 'in_progress' as const,
}
const leavesFailing = `${edits('src/pay.ts')}${fails('npx vitest run', TAX_FAILS)}${ends('Applied the rate to net prices, the test still fails.')}`
const deploys = `${fails('node scripts/deploy.js', 'Error: bucket shop-assets does not exist\n    at upload (/shop/scripts/deploy.js:4:9)\n')}${ends('Deploying fails.')}`
const REFUSED = `refuse('API Error: Request rejected (429) · rate_limit_error: too many requests')\n`

const before = (tool: string, input: object) => (world: TruthWorld) =>
  world.hook('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: 'toolu_1' })
const reads = (file: string) => (world: TruthWorld) =>
  before('Read', { file_path: join(world.project, file) })(world)
const runs = (command: string) => before('Bash', { command })

async function story(world: TruthWorld, ...scripts: string[]): Promise<void> {
  await world.put('src/pay.ts', '')
  await world.put('src/login.ts', '')
  await world.board(PAY)
  for (const script of scripts) await world.run(1, script)
}

/** What a person's own session with Claude Code is told. */
export const HOOKS: Scenario[] = [
  {
    name: 'the briefing after a run that left a test failing',
    story: 'The last run of the loop left the tax test failing.',
    happens: (world) => story(world, leavesFailing),
    shown: (world) => world.hook('SessionStart', { source: 'startup' }),
    must: [says('the open error', /expected 100 to be 120/), says('what was tried', /net prices/)],
    mustNot: [says('a solution', /solved|overcome/i)],
  },
  {
    name: 'the briefing without memory',
    story: 'Nothing has ever run.',
    happens: (world) => world.board(PAY),
    shown: (world) => world.hook('SessionStart', { source: 'startup' }),
    mustNot: [says('an error', /\berrors?\b/i), says('an iteration', /iteration/i)],
  },
  {
    name: 'the briefing after the service refused',
    story: 'Two runs were refused by the service; nothing was changed.',
    happens: (world) => story(world, REFUSED, REFUSED),
    shown: (world) => world.hook('SessionStart', { source: 'startup' }),
    mustNot: [says('an attempt that failed', /failed attempt|did not work/i), says('an error', /error:/i)],
  },
  {
    name: 'reading a file whose last change led to a failure',
    story: 'The last run changed src/pay.ts and the tax test failed after it.',
    happens: (world) => story(world, leavesFailing),
    shown: reads('src/pay.ts'),
    must: [says('what the change led to', /expected 100 to be 120/)],
  },
  {
    name: 'a session from its start to a failure',
    story:
      'The last run left the tax test failing. The session reads the file it changed and meets the failure itself.',
    happens: (world) => story(world, leavesFailing),
    shown: async (world) =>
      [
        await world.hook('SessionStart', { source: 'startup' }),
        await reads('src/pay.ts')(world),
        await world.hook('PostToolUseFailure', {
          tool_name: 'Bash',
          tool_input: { command: 'npx vitest run' },
          tool_use_id: 'toolu_2',
          error: `Exit code 1\n${TAX_FAILS}`,
        }),
      ].join('\n'),
    must: [
      says('the open error', /expected 100 to be 120/),
      says('what was tried', /net prices/),
      says('that the change of this file led to it', /Memory of src\/pay\.ts.*failed after that/),
    ],
  },
  {
    name: 'the briefing after a run that was cut off',
    story:
      'The last run changed src/pay.ts and was then refused by the service: the file may be half changed.',
    happens: (world) => story(world, `${edits('src/pay.ts')}${REFUSED}`),
    shown: (world) => world.hook('SessionStart', { source: 'startup' }),
    must: [
      says('how it ended', /rate limit/i),
      says('what it had changed by then', /By then it had changed src\/pay\.ts/),
    ],
    mustNot: [
      says('a failed attempt', /worked and was not done|failed attempt/i),
      says('an error', /error:/i),
    ],
  },
  {
    name: 'reading a file whose trouble is solved',
    story: 'The change to src/pay.ts failed, the next one made the test pass.',
    happens: (world) =>
      story(
        world,
        leavesFailing,
        `${edits('src/pay.ts')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('Done.')}`,
      ),
    shown: reads('src/pay.ts'),
    mustNot: [says('an open failure', /expected 100 to be 120/)],
  },
  {
    name: 'reading a file that has nothing to do with it',
    story: 'The last run changed src/pay.ts; src/login.ts was never touched.',
    happens: (world) => story(world, leavesFailing),
    shown: reads('src/login.ts'),
    silent: true,
  },
  {
    name: 'a command that failed alike twice',
    story: 'Two runs deployed, and both met the same missing bucket; nothing changed since.',
    happens: (world) => story(world, deploys, deploys),
    shown: runs('node scripts/deploy.js'),
    must: [says('how it failed', /bucket shop-assets does not exist/)],
  },
  {
    name: 'a command that failed once',
    story: 'One run deployed and met a missing bucket.',
    happens: (world) => story(world, deploys),
    shown: runs('node scripts/deploy.js'),
    silent: true,
  },
  {
    name: 'a check is never stopped',
    story: 'The tests failed alike in three runs. Running them again is how one finds out.',
    happens: (world) => story(world, leavesFailing, leavesFailing, leavesFailing),
    shown: runs('npx vitest run'),
    silent: true,
  },
  {
    name: 'a command that worked in between',
    story: 'Deploying failed twice, then worked.',
    happens: (world) =>
      story(world, deploys, deploys, `${passes('node scripts/deploy.js', 'deployed')}${ends('Deployed.')}`),
    shown: runs('node scripts/deploy.js'),
    silent: true,
  },
  {
    name: 'an error met before, solved by evidence',
    story:
      'A crash in src/login.ts was solved in iteration 2. A person meets it again on the branch of the feature.',
    happens: async (world) => {
      await world.put('.git/HEAD', 'ref: refs/heads/fix/shop-greeting\n')
      await story(
        world,
        `${edits('src/login.ts')}${fails('node src/start.ts', CRASH)}${ends('Greeting crashes for strangers.')}`,
        `${edits('src/login.ts')}${passes('node src/start.ts', 'hello')}${status('done')}${ends('Strangers are greeted as guests.')}`,
      )
    },
    shown: (world) =>
      world.hook('PostToolUseFailure', {
        tool_name: 'Bash',
        tool_input: { command: 'node src/start.ts' },
        tool_use_id: 'toolu_1',
        error: `Exit code 1\n${CRASH}`,
      }),
    must: [says('what solved it then', /greeted as guests/)],
  },
]
