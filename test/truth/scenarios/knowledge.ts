import { type Scenario, says } from '../scenario.ts'
import type { TruthWorld } from '../world.ts'
import { edits, ends, fails, passes, status, TAX_PASSES } from './lines.ts'

const MIGRATION_FAILS = `error: canceling statement due to statement timeout
    at Parser.parseErrorMessage (/shop/node_modules/pg-protocol/dist/parser.js:283:98)
    at migrate (/shop/scripts/migrate.js:31:9)
`
const MIGRATE = {
  id: 1,
  title: 'Add an index to the orders table',
  description: 'Queries on orders by customer are slow: add an index in a migration for PostgreSQL.',
}
const SIMILAR = {
  id: 1,
  title: 'Index invoices by customer',
  description:
    'Looking up invoices of a customer in PostgreSQL is slow. Write a migration that adds an index.',
}
const UNRELATED = {
  id: 1,
  title: 'Translate the footer',
  description: 'The footer of the web page is in English only.',
}
const SOLUTION =
  'Created the index concurrently, outside of the transaction, so that no statement waits for the lock.'

const failsToMigrate = `${edits('migrations/7.sql')}${fails('node scripts/migrate.js', MIGRATION_FAILS)}${status('in_progress')}${ends('The migration times out.')}`
const solves = `${edits('migrations/7.sql', 'create index concurrently')}${passes('node scripts/migrate.js', 'migrated')}${status('done')}${ends(SOLUTION)}`
const RATE_LIMITED = `refuse('API Error: Request rejected (429) · rate_limit_error: too many requests')\n`

/** The prompt of the task in another project of the same person. */
const elsewhere = (task: { id: number; title: string; description: string }) => async (world: TruthWorld) => {
  await (await world.ralph.openKnowledge()).checkpoint('manual')
  const other = await world.elsewhere()
  await other.board(task)
  return other.prompt(1)
}

/** The migration failed, and the same command passed after a change. */
async function solved(world: TruthWorld): Promise<void> {
  await world.board(MIGRATE)
  await world.run(1, failsToMigrate)
  await world.run(1, solves)
}

/** The migration was done at once, and a person sent it back at the gate. */
async function rejected(world: TruthWorld): Promise<void> {
  await world.board(MIGRATE)
  await world.run(1, solves)
  const knowledge = await world.ralph.openKnowledge()
  const [gate] = await knowledge.gates.waiting({ project: world.project })
  await knowledge.gates.reject(gate!.id, { feedback: 'Ask the data team for a maintenance window first.' })
}

export const KNOWLEDGE: Scenario[] = [
  {
    name: 'a solution by evidence helps a similar task elsewhere',
    story:
      'A migration timed out in one project, and the same command passed after a change. Another project has a similar task.',
    world: { embedder: 'local' },
    happens: solved,
    shown: elsewhere(SIMILAR),
    must: [
      says('the problem', /statement timeout/),
      says('what solved it', /concurrently, outside of the transaction/),
    ],
  },
  {
    name: 'a solution is not offered to an unrelated task',
    story: 'As above, but the other project translates a footer.',
    world: { embedder: 'local' },
    happens: solved,
    shown: elsewhere(UNRELATED),
    silent: true,
  },
  {
    name: 'trouble of the service is no problem with a solution',
    story: 'A run was refused by the service, the next one did the task. Another project has the same task.',
    world: { embedder: 'local' },
    happens: async (world) => {
      await world.board(MIGRATE)
      await world.run(1, RATE_LIMITED)
      await world.run(1, solves)
    },
    shown: elsewhere(SIMILAR),
    silent: true,
  },
  {
    name: 'a task that is done without evidence teaches nothing',
    story:
      'The migration timed out; the next run wrote a note and set the task to done, the command never ran again.',
    world: { embedder: 'local' },
    happens: async (world) => {
      await world.board(MIGRATE)
      await world.run(1, failsToMigrate)
      await world.run(
        1,
        `${edits('NOTES.md')}${passes('npx vitest run', TAX_PASSES)}${status('done')}${ends('Wrote down how migrations work.')}`,
      )
    },
    shown: elsewhere(SIMILAR),
    mustNot: [says('a solution', /Wrote down how migrations work/), says('a problem', /statement timeout/)],
  },
  {
    name: 'a rejection reaches the same task elsewhere',
    story:
      'A person rejected the index: the data team was not asked for a window. Another project has the same task.',
    world: { embedder: 'local', gate: 'review' },
    happens: rejected,
    shown: elsewhere(MIGRATE),
    must: [says("the person's words", /maintenance window/)],
  },
  {
    name: 'a rejection reaches a similar task elsewhere',
    story: 'As above, the other task is worded differently.',
    world: { embedder: 'local', gate: 'review' },
    happens: rejected,
    shown: elsewhere(SIMILAR),
    must: [says("the person's words", /maintenance window/)],
  },
  {
    name: 'a rejection stays away from an unrelated task',
    story: 'As above, the other project translates a footer.',
    world: { embedder: 'local', gate: 'review' },
    happens: rejected,
    shown: elsewhere(UNRELATED),
    silent: true,
  },
]
