import { describe, expect, test } from 'vitest'
import { decisionsIn } from '../../../src/feature-memory/extract/decisions.ts'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { collected, ends, init, PROJECT, says } from '../../transcripts/stream.ts'

const DECISIONS: [text: string, description: string, rationale?: string][] = [
  ['I decided to use SQLite because it needs no server.', 'Decided to use SQLite', 'it needs no server'],
  [
    'We chose React Hook Form over controlled inputs because re-renders were slow.',
    'Chose React Hook Form over controlled inputs',
    're-renders were slow',
  ],
  [
    'Used React Hook Form instead of controlled inputs for form state.',
    'Used React Hook Form instead of controlled inputs for form state',
  ],
  ['Switched to pnpm since the lockfile is shared.', 'Switched to pnpm', 'the lockfile is shared'],
  [
    'So I switched from moment to date-fns to avoid the large bundle.',
    'Switched from moment to date-fns',
    'to avoid the large bundle',
  ],
  [
    'I went with a queue rather than cron so that retries are possible.',
    'Went with a queue rather than cron',
    'so that retries are possible',
  ],
  ['I opted for optimistic locking.', 'Opted for optimistic locking'],
  [
    'Opted to keep the old endpoint as it is still called by the mobile app.',
    'Opted to keep the old endpoint',
    'it is still called by the mobile app',
  ],
  [
    'The API was flaky, so I decided against retrying in the client.',
    'Decided against retrying in the client',
    'The API was flaky',
  ],
  ['Since tokens expire, I opted for refreshing early.', 'Opted for refreshing early', 'tokens expire'],
  ['To avoid a second query we chose to join.', 'To avoid a second query we chose to join'],
  ['To avoid a second query, we chose to join.', 'Chose to join', 'To avoid a second query'],
  [
    'After some tests I settled on a batch size of 64 due to memory limits.',
    'After some tests I settled on a batch size of 64',
    'memory limits',
  ],
  [
    "We've decided not to cache the token: it expires after a minute.",
    'Decided not to cache the token',
    'it expires after a minute',
  ],
  [
    'I chose to validate at the boundary. This keeps the inner types simple.',
    'Chose to validate at the boundary',
    'This keeps the inner types simple',
  ],
  [
    '- **Decision:** store timestamps in UTC because clients differ',
    'Store timestamps in UTC',
    'clients differ',
  ],
  [
    'Decision: use zod. Rationale: one schema for types and checks.',
    'Use zod',
    'one schema for types and checks',
  ],
  [
    'I replaced the regex with a parser because nested quotes broke it.',
    'Replaced the regex with a parser',
    'nested quotes broke it',
  ],
  [
    "I'll use a Map instead of an object so that keys keep their order.",
    'Use a Map instead of an object',
    'so that keys keep their order',
  ],
  [
    'Kept the sync API rather than making it async, since every caller is sync.',
    'Kept the sync API rather than making it async',
    'every caller is sync',
  ],
]

const NONE: [why: string, text: string][] = [
  ['a bug, told with "instead of"', 'The function returns undefined instead of null.'],
  ['a bug of a test', 'It printed "Hello" instead of "Hello ?".'],
  ['a program switching', 'The parser switched to strict mode when it saw the pragma.'],
  ['a condition', 'If we switched to Postgres, the tests would be slower.'],
  ['open', 'I have not decided yet whether to use Redis.'],
  ['a question', 'Should I go with Redis instead of Memcached?'],
  ['advice', 'You could switch to pnpm if installs are slow.'],
  ['possible', 'We might choose Redis over Memcached because of streams.'],
  ['somebody else', 'The user decided to drop support for Node 18.'],
  ['the maintainers', 'Upstream switched to ESM in version 3.'],
  ['git', 'Switched to a new branch and pushed.'],
  ['git, other', 'I switched to branch main before testing.'],
  ['moving on', 'Then I moved to the next file.'],
  ['a step', 'Let me go with the first test.'],
  ['a remark', 'Using a clamp pattern instead of the clamp function.'],
  ['advice, shortly', 'Use `clear()` instead of `truncate(0)`.'],
  ['others, and what they did then', 'He lost his job and decided to start a business.'],
  ['a request', 'Could we list the options and what we went with.'],
  ['"over" as a place', 'Added a loop over the open files.'],
  ['plain work', 'Added a test for the login form and fixed the import.'],
  ['in code', '```\n// decided to use X because Y\n```'],
  ['quoted', '> We decided to use X because Y'],
  ['a heading', '## Decided to use what'],
  ['too short', 'Went with it.'],
]

describe('statements of choice', () => {
  test.each(DECISIONS)('%s', (text, description, rationale) => {
    expect(decisionsIn(text)).toEqual([rationale ? { description, rationale } : { description }])
  })
})

describe('what only sounds like one', () => {
  test.each(NONE)('%s: %s', (_, text) => {
    expect(decisionsIn(text)).toEqual([])
  })
})

test('from all that was said, each once, with the reason if it was ever given', () => {
  const run = collected([
    init,
    says('I opted for optimistic locking.'),
    says('I opted for optimistic locking because writers are rare.', { parent_tool_use_id: 'toolu_sub' }),
    ends('Done. I opted for optimistic locking.\n\n- Chose SQLite over Postgres because it needs no server.'),
  ])
  expect(extract(run, { project: PROJECT }).decisions).toEqual([
    { description: 'Opted for optimistic locking', rationale: 'writers are rare' },
    { description: 'Chose SQLite over Postgres', rationale: 'it needs no server' },
  ])
})

test('never too many, never too long', () => {
  const text = Array.from(
    { length: 40 },
    (_, index) => `I decided to use library ${index} because ${'it is good '.repeat(40)}.`,
  ).join('\n')
  const { decisions } = extract(collected([init, says(text)]), { project: PROJECT })
  expect(decisions.length).toBeLessThanOrEqual(10)
  for (const { description, rationale } of decisions)
    expect((description + rationale).length).toBeLessThanOrEqual(1_000)
})
