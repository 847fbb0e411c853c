import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Extraction, extract } from '../../../src/feature-memory/extract/extract.ts'
import type { Decision } from '../../../src/feature-memory/record.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

async function extracted(name: string, project = '/home/dev/shop'): Promise<Extraction> {
  return extract(await readTranscript(join(FIXTURES, `${name}.jsonl`)), { project })
}

interface Expected {
  outcome: string
  summary: string | RegExp
  /** `action path`, sorted. */
  files?: string[]
  /** `type file:line`, and words of the message, in order. */
  errors?: [place: string, words: string | RegExp][]
  decisions?: Decision[]
}

const TYPE_ERROR = /TypeError: Cannot read properties of undefined \(reading 'name'\)/

/** What a person reads in the recordings. */
const EXPECTED: Record<string, Expected> = {
  'stream-json/00-hello': { outcome: 'success', summary: 'Hello from the scripted model.' },
  'stream-json/01-success-tools': {
    outcome: 'success',
    summary: 'Done: greet() now handles users without a profile; docs/user.md added.',
    files: [
      'created docs/user.md',
      'created notes.txt',
      'created src/brand-new.ts',
      'deleted tmp/a',
      'modified README.md',
      'modified src/user.js',
      'read test/user.test.js',
    ],
    errors: [
      ['logic src/user.js', 'String to replace not found in file'],
      ['logic src/math.ts', 'File has not been read yet'],
      ['logic', 'No such tool available: Grep'],
      ['logic', 'No such tool available: Glob'],
      ['logic README.md', 'No such tool available: MultiEdit'],
      ['runtime no/such/file.ts', 'File does not exist.'],
    ],
  },
  'stream-json/01c-glob-grep': {
    outcome: 'success',
    summary: 'Searched.',
    files: [
      'created READ.md',
      'created nb.ipynb',
      'deleted README.md',
      'deleted src/math.ts',
      'read src/user.js',
      'read src/user.vitest.test.js',
      'read test/user.test.js',
    ],
    errors: [['runtime', 'Command timed out after 1s: sleep 20 & wait']],
  },
  // It renamed things, and left a test failing.
  'stream-json/01d-multiedit-v1.0.128': {
    outcome: 'partial',
    summary: 'Renamed.',
    files: ['created new-by-multiedit.txt', 'modified README.md'],
    errors: [
      ['logic', 'No such tool available: LS'],
      ['test src/user.js:8', TYPE_ERROR],
    ],
  },
  'stream-json/02-failing-checks': {
    outcome: 'partial',
    summary: /^The tests fail with a TypeError in greet\(\)/,
    errors: [
      // The masked second run of the same tests adds nothing.
      ['test src/user.js:8', /^greets a user without a profile: TypeError: Cannot read/],
      ['test src/user.js:8', /^src\/user\.vitest\.test\.js > greets a user without a profile: TypeError/],
      ['compile src/math.ts:6', "TS2322: Type 'number' is not assignable to type 'string'."],
      ['lint src/user.js:3', "'unused' is assigned a value but never used (no-unused-vars)"],
      ['lint src/user.js:4', "'suffix' is not defined (no-undef)"],
      ['runtime src/user.js:8', TYPE_ERROR],
      ['runtime', 'nosuchcommand: command not found'],
      ['runtime', 'cat: /no/such/file: No such file or directory'],
      ['permission', 'Blocked: sleep 30 followed by: echo late'],
      ['runtime', /kill -9 \$\$` failed with exit code 1: err/],
      ['logic', 'The required parameter `command` is missing'],
    ],
  },
  'stream-json/03-max-turns': {
    outcome: 'failure',
    summary: /Reached maximum number of turns \(3\)/,
    errors: [['runtime', 'Reached maximum number of turns (3)']],
  },
  'stream-json/04a-429-then-ok': { outcome: 'success', summary: 'Hello after two rate-limit retries.' },
  'stream-json/04b-429-forever': {
    outcome: 'rate_limited',
    summary: /^API Error: Request rejected \(429\)/,
    errors: [['runtime', 'Request rejected (429)']],
  },
  'stream-json/04c-529-forever': {
    outcome: 'rate_limited',
    summary: /^API Error: 529 Overloaded/,
    errors: [['runtime', '529 Overloaded']],
  },
  'stream-json/04e-400-invalid': {
    outcome: 'failure',
    summary: /^API Error: 400/,
    errors: [['runtime', 'something is wrong with the request']],
  },
  'stream-json/04f-401': {
    outcome: 'failure',
    summary: /^Invalid API key/,
    errors: [['permission', 'Invalid API key']],
  },
  'stream-json/04g-prompt-too-long': {
    outcome: 'failure',
    summary: /^Prompt is too long/,
    errors: [['runtime', 'Prompt is too long']],
  },
  'stream-json/04h-connection-dropped': {
    outcome: 'failure',
    summary: /ECONNRESET/,
    errors: [['runtime', 'Connection dropped (ECONNRESET)']],
  },
  'stream-json/04i-credit': {
    outcome: 'failure',
    summary: 'Credit balance is too low',
    errors: [['runtime', 'Credit balance is too low']],
  },
  'stream-json/05-sigkill': {
    outcome: 'failure',
    summary: /Starting\. Ran `echo step one`\..*without a result/,
  },
  'stream-json/05b-sigterm': {
    outcome: 'failure',
    summary: /without a result/,
    errors: [['runtime', 'was killed (exit code 137)']],
  },
  'stream-json/05c-sigint': {
    outcome: 'failure',
    summary: /was interrupted/,
    errors: [
      ['permission', "The user doesn't want to proceed with this tool use"],
      ['unknown', 'interrupted'],
    ],
  },
  'stream-json/06-subagent': {
    outcome: 'success',
    summary: 'greet is defined in src/user.js (found by the sub-agent).',
    files: ['created found.txt'],
    errors: [['runtime', "cannot access 'no-such-dir'"]],
  },
  'stream-json/06c-subagent-forward-text': {
    outcome: 'success',
    summary: 'greet is defined in src/user.js (found by the sub-agent).',
    files: ['created found.txt'],
    errors: [['runtime', "cannot access 'no-such-dir'"]],
  },
  'stream-json/07-mcp': {
    outcome: 'success',
    summary: 'The note is stored: the build uses pnpm.',
    errors: [
      ['runtime', 'mcp__notes__broken: store is locked'],
      ['logic', 'Invalid arguments for tool remember'],
      ['logic', 'No such tool available: mcp__nosuch__tool'],
    ],
  },
  'stream-json/07c-mcp-reference-servers': { outcome: 'success', summary: 'Stored.' },
  'stream-json/08-thinking': { outcome: 'success', summary: 'src has math.ts and user.js.' },
  'stream-json/10-permission-denied': {
    outcome: 'success',
    summary: 'I was not allowed to do that.',
    errors: [
      ['permission', /Permission to use Bash has been denied.*touch forbidden\.txt/],
      ['permission', /Permission to use Write has been denied.*\/etc\/harness-should-not-exist/],
    ],
  },
  'stream-json/11-hooks': {
    outcome: 'success',
    summary: 'Hooked work done.',
    files: ['created hooked.txt'],
    errors: [['runtime', '`exit 5` failed with exit code 5']],
  },
  'stream-json/12-partial-messages': { outcome: 'success', summary: 'Listed.' },
  'stream-json/13a-subscription-warning': { outcome: 'success', summary: 'Hello, nearly out of quota.' },
  'stream-json/14-max-budget': {
    outcome: 'failure',
    summary: /Reached maximum budget \(\$0\.15\)/,
    errors: [['runtime', 'Reached maximum budget ($0.15)']],
  },
  'stream-json/15a-resume': { outcome: 'success', summary: 'Answer of this run.' },
  'stream-json/16a-api-hang': {
    outcome: 'failure',
    summary: 'Request timed out',
    errors: [['runtime', 'Request timed out']],
  },
  'stream-json/17-max-tokens': {
    outcome: 'success',
    summary: 'This answer was cut off, and here is the rest.',
  },
  'stream-json/18-background-command': {
    outcome: 'success',
    summary: /^The background check failed; I noted it in after\.txt/,
    files: ['created after.txt'],
    errors: [['runtime', /^Background command .* failed with exit code 2$/]],
    decisions: [{ description: 'Decided to stop here', rationale: 'the type error is in generated code' }],
  },
  // The sub-agent edited, and left a test failing.
  'stream-json/19-background-agent': {
    outcome: 'partial',
    summary: 'The agent has finished its edit of the README and all is well now.',
    files: ['modified README.md'],
    errors: [['test src/user.js:8', TYPE_ERROR]],
  },
  'stream-json/20-permission-rules': {
    outcome: 'success',
    summary: 'Done with perms.',
    errors: [
      ['permission', 'needs approval'],
      ['permission b.txt', "you haven't granted it yet"],
      ['permission src/user.js', 'denied by your permission settings'],
      ['permission', 'was blocked. For security'],
      ['permission', 'Permission to use Bash with command curl http://x has been denied.'],
      ['permission', 'no hooked things here'],
    ],
  },
  'stream-json/21-search-v1.0.128': {
    outcome: 'partial',
    summary: 'All done with the tools of old.',
    files: [
      'created n.txt',
      'read src/math.ts',
      'read src/user.js',
      'read src/user.vitest.test.js',
      'read test/user.test.js',
    ],
    errors: [
      ['compile src/math.ts:6', 'TS2322'],
      ['runtime', 'nosuchcmd: command not found'],
    ],
  },
  'stream-json/22-killed-while-overloaded': {
    outcome: 'rate_limited',
    summary: 'I chose to write the file first because the limit is near.',
    files: ['created a.txt'],
    errors: [['runtime', 'rate limited or overloaded']],
    decisions: [{ description: 'Chose to write the file first', rationale: 'the limit is near' }],
  },
  'session-files/headless-hooks-main': {
    outcome: 'success',
    summary: /Hooked work done\..*Created hooked\.txt/,
    files: ['created hooked.txt'],
    errors: [['runtime', '`exit 5` failed with exit code 5']],
  },
  'session-files/headless-hooks-subagent': { outcome: 'success', summary: /^Listed\./ },
  'session-files/interactive': {
    outcome: 'success',
    summary: /Interactive done\. Created interactive\.txt\./,
    files: ['created interactive.txt'],
  },
  'session-files/resumed-and-compacted': { outcome: 'success', summary: /Answer of this run\./ },
  'session-files/sigkilled': { outcome: 'failure', summary: /Write a large file\..*without a result/ },
}

describe('what the recordings contain', () => {
  test('every recording is expected here', () => {
    const names = ['stream-json', 'session-files'].flatMap((folder) =>
      readdirSync(join(FIXTURES, folder))
        .filter((name) => name.endsWith('.jsonl') && !name.includes('hooks-input'))
        .map((name) => `${folder}/${name.replace('.jsonl', '')}`),
    )
    expect(Object.keys(EXPECTED).sort()).toEqual(names.sort())
  })

  test.each(Object.entries(EXPECTED))(
    '%s',
    async (name, { outcome, summary, files = [], errors = [], decisions = [] }) => {
      const found = await extracted(name)
      expect(found.outcome).toBe(outcome)
      if (typeof summary === 'string') expect(found.summary).toBe(summary)
      else expect(found.summary).toMatch(summary)
      expect(found.filesTouched.map(({ action, path }) => `${action} ${path}`).sort()).toEqual(files)
      const places = found.errors.map(({ type, filePath, line }) =>
        [type, filePath && (line ? `${filePath}:${line}` : filePath)].filter(Boolean).join(' '),
      )
      expect(places).toEqual(errors.map(([place]) => place))
      errors.forEach(([, words], index) => {
        if (typeof words === 'string') expect(found.errors[index]?.message).toContain(words)
        else expect(found.errors[index]?.message).toMatch(words)
      })
      expect(found.decisions).toEqual(decisions)
    },
  )

  test('usage: tokens of all kinds and models, cost of this run, model and tier', async () => {
    expect(await extracted('stream-json/01-success-tools')).toMatchObject({
      tokensUsed: 204 + 983 + 517_630 + 33_993,
      costUsd: expect.closeTo(0.29811975, 10),
      durationMs: 1_731,
      model: 'claude-sonnet-4-5-20250929',
      modelTier: 'sonnet',
      timestamp: '2026-11-16T01:33:48.302Z',
    })
  })

  test('recorded in another place, the paths are relative to where the agent worked', async () => {
    const here = await extracted('stream-json/01-success-tools')
    const elsewhere = await extracted('stream-json/01-success-tools', '/tmp/another/checkout')
    expect(elsewhere).toEqual(here)
  })

  test('a project above the directory the agent worked in', async () => {
    const { filesTouched, errors } = await extracted('stream-json/02-failing-checks', '/home/dev')
    expect(filesTouched).toEqual([])
    expect(errors[0]).toMatchObject({ filePath: 'shop/src/user.js', line: 8 })
  })

  test('the same transcript always gives the same account', async () => {
    expect(await extracted('stream-json/02-failing-checks')).toEqual(
      await extracted('stream-json/02-failing-checks'),
    )
  })
})
