import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Extraction, extract } from '../../../src/feature-memory/extract/extract.ts'
import type { Decision, RecordedCheck } from '../../../src/feature-memory/record.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

async function extracted(name: string, project = '/home/dev/shop'): Promise<Extraction> {
  const meta = join(FIXTURES, `${name}.meta.json`)
  const { exit_code, signal } = existsSync(meta) ? JSON.parse(readFileSync(meta, 'utf8')) : {}
  const process = { exitCode: exit_code ?? null, signal: signal ?? null }
  return extract(await readTranscript(join(FIXTURES, `${name}.jsonl`), { process }), { project })
}

interface Expected {
  outcome: string
  /** Kind, cause, exit code or signal. Default: done. */
  ending?: string
  /** `kind result command`, and how many errors it reported, if any. */
  checks?: string[]
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
      'modified README.md',
      'modified src/user.js',
      'read test/user.test.js',
    ],
    checks: ['test passed npm test'],
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
    errors: [['test src/user.js:8', TYPE_ERROR]],
    ending: 'worked',
    checks: ['test failed npm test (1)'],
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
      ['runtime', /kill -9 \$\$` failed with exit code 1: err/],
    ],
    ending: 'worked',
    checks: [
      'test failed npx vitest run src (1)',
      'typecheck failed npx tsc --noEmit (1)',
      'lint failed npx eslint src (2)',
      "command failed node -e import('./src/user.js').then(m => console.log(m.greet({}))) (1)",
      'command failed nosuchcommand --flag (1)',
      'test failed npm test (1)',
    ],
  },
  'stream-json/03-max-turns': {
    outcome: 'failure',
    summary: /Reached maximum number of turns \(3\)/,
    ending: 'service_failed turns 1',
  },
  'stream-json/04a-429-then-ok': { outcome: 'success', summary: 'Hello after two rate-limit retries.' },
  'stream-json/04b-429-forever': {
    outcome: 'rate_limited',
    summary: /^API Error: Request rejected \(429\)/,
    ending: 'service_failed rate_limit 1',
  },
  'stream-json/04c-529-forever': {
    outcome: 'rate_limited',
    summary: /^API Error: 529 Overloaded/,
    ending: 'service_failed rate_limit 1',
  },
  'stream-json/04e-400-invalid': {
    outcome: 'failure',
    summary: /^API Error: 400/,
    ending: 'service_failed api 1',
  },
  'stream-json/04f-401': {
    outcome: 'failure',
    summary: /^Invalid API key/,
    ending: 'service_failed key 1',
  },
  'stream-json/04g-prompt-too-long': {
    outcome: 'failure',
    summary: /^Prompt is too long/,
    ending: 'service_failed context 1',
  },
  'stream-json/04h-connection-dropped': {
    outcome: 'failure',
    summary: /ECONNRESET/,
    ending: 'service_failed api 1',
  },
  'stream-json/04i-credit': {
    outcome: 'failure',
    summary: 'Credit balance is too low',
    ending: 'service_failed credit 1',
  },
  'stream-json/05-sigkill': {
    outcome: 'failure',
    summary: /Starting\. Ran `echo step one`\. The run was killed \(SIGKILL\)/,
    ending: 'stopped killed SIGKILL',
  },
  'stream-json/05b-sigterm': {
    outcome: 'failure',
    summary: /ended with exit code 143 and no result/,
    ending: 'stopped killed 143',
  },
  'stream-json/05c-sigint': {
    outcome: 'failure',
    summary: /was interrupted/,
    ending: 'stopped interrupted',
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
    errors: [['runtime', 'mcp__notes__broken: store is locked']],
  },
  'stream-json/07c-mcp-reference-servers': { outcome: 'success', summary: 'Stored.' },
  'stream-json/08-thinking': { outcome: 'success', summary: 'src has math.ts and user.js.' },
  'stream-json/10-permission-denied': {
    outcome: 'failure',
    summary: 'I was not allowed to do that.',
    errors: [
      ['permission', /Permission to use Bash has been denied.*touch forbidden\.txt/],
      ['permission', /Permission to use Write has been denied.*\/etc\/harness-should-not-exist/],
    ],
    ending: 'refused',
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
    ending: 'service_failed budget 1',
  },
  'stream-json/15a-resume': { outcome: 'success', summary: 'Answer of this run.' },
  'stream-json/16a-api-hang': {
    outcome: 'failure',
    summary: 'Request timed out',
    ending: 'service_failed api 1',
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
    ending: 'worked',
    checks: ['test failed node --test test/ (1)'],
  },
  'stream-json/20-permission-rules': {
    outcome: 'failure',
    summary: 'Done with perms.',
    errors: [
      ['permission', 'needs approval'],
      ['permission b.txt', "you haven't granted it yet"],
      ['permission src/user.js', 'denied by your permission settings'],
      ['permission', 'was blocked. For security'],
      ['permission', 'Permission to use Bash with command curl http://x has been denied.'],
      ['permission', 'no hooked things here'],
    ],
    ending: 'refused',
  },
  'stream-json/21-search-v1.0.128': {
    outcome: 'partial',
    summary: 'All done with the tools of old.',
    errors: [
      ['compile src/math.ts:6', 'TS2322'],
      ['runtime', 'nosuchcmd: command not found'],
    ],
    files: ['created n.txt', 'read src/user.js', 'read src/user.vitest.test.js', 'read test/user.test.js'],
    ending: 'worked',
    checks: ['typecheck failed npx tsc --noEmit (1)', 'command failed nosuchcmd (1)'],
  },
  'stream-json/22-killed-while-overloaded': {
    outcome: 'rate_limited',
    summary: 'I chose to write the file first because the limit is near.',
    files: ['created a.txt'],
    decisions: [{ description: 'Chose to write the file first', rationale: 'the limit is near' }],
    ending: 'service_failed rate_limit',
  },
  'stream-json/30-bash-edits': {
    outcome: 'success',
    summary: /^Edited the files by shell/,
    // tmp.txt was made and removed by one command.
    files: [
      'created docs.md',
      'created gen.txt',
      'created py.txt',
      'deleted README.md',
      'deleted src/math.ts',
      'modified src/user.js',
    ],
    errors: [['runtime', 'failed with exit code 3']],
    checks: [
      `command failed node -e require('fs').appendFileSync('src/user.js','// more\\n'); process.exit(3) (1)`,
    ],
  },
  // Glob listed them all; what was read is what Grep showed and Read opened.
  'stream-json/31-glob-only': {
    outcome: 'success',
    summary: /^There are two JavaScript sources/,
    files: ['read README.md', 'read src/user.js', 'read src/user.vitest.test.js', 'read test/user.test.js'],
  },
  // The last `node --test || true` still reports the suite that cannot be loaded.
  'stream-json/32-checks': {
    outcome: 'partial',
    summary: /^Fixed: greet\(\) works/,
    ending: 'worked',
    files: ['modified src/user.js'],
    errors: [
      ['test src/user.vitest.test.js:1', 'test failed'],
      ['test src/user.js:8', TYPE_ERROR],
      ['runtime', 'Cannot find module'],
      ['compile src/math.ts:6', 'TS2322'],
      ['lint', 'EAI_AGAIN'],
    ],
    checks: [
      'command failed node src/nothing.js (1)',
      'test failed node --test (1)',
      'typecheck failed npx --no-install tsc --noEmit (1)',
      'lint failed npx --no-install eslint . (1) in src',
    ],
  },
  'stream-json/33-interrupted': {
    outcome: 'partial',
    summary: /^Now the slow thing\. Created half\.txt\..* The run was interrupted\.$/,
    ending: 'stopped interrupted',
    files: ['created half.txt'],
  },
  'stream-json/33b-killed': {
    outcome: 'partial',
    summary: /The run was killed \(SIGKILL\)\.$/,
    ending: 'stopped killed SIGKILL',
    files: ['created half.txt'],
  },
  'stream-json/33c-terminated': {
    outcome: 'partial',
    summary: /The run ended with exit code 143 and no result\.$/,
    ending: 'stopped killed 143',
    files: ['created half.txt'],
  },
  'stream-json/34-invalid-key-midway': {
    outcome: 'partial',
    summary: /^Invalid API key/,
    ending: 'service_failed key 1',
    files: ['created a.txt'],
  },
  'stream-json/35-credit-midway': {
    outcome: 'partial',
    summary: 'Credit balance is too low',
    ending: 'service_failed credit 1',
    files: ['created a.txt'],
  },
  'stream-json/36-server-500': {
    outcome: 'failure',
    summary: /^API Error: 500 Internal server error/,
    ending: 'service_failed api 1',
    errors: [['test test:1', "test: 'test failed'"]],
    checks: ['test failed npm test (1)'],
  },
  'stream-json/37-context': {
    outcome: 'failure',
    summary: 'Prompt is too long',
    ending: 'service_failed context 1',
    files: ['read README.md'],
  },
  'stream-json/38-refused': {
    outcome: 'failure',
    summary: /^I was not allowed to write the file/,
    ending: 'refused',
    errors: [
      ['permission b.txt', 'Permission to use Write has been denied'],
      ['permission', /Permission to use Bash has been denied.*npm test/],
    ],
  },
  'stream-json/39-max-turns-work': {
    outcome: 'partial',
    summary: /Created one\.txt\..*Reached maximum number of turns \(3\)\.$/,
    ending: 'service_failed turns 1',
    files: ['created one.txt'],
    errors: [['test test:1', "test: 'test failed'"]],
    checks: ['test failed npm test (1)'],
  },
  'stream-json/40-resume-first': {
    outcome: 'success',
    summary: /^Created a\.txt/,
    files: ['created a.txt'],
  },
  'stream-json/41-resume-second': {
    outcome: 'success',
    summary: /^Created b\.txt/,
    files: ['created b.txt'],
  },
  'stream-json/42-slips': {
    outcome: 'success',
    summary: /^Nothing worked, but these were only slips/,
    files: ['read src/user.js'],
  },
  'stream-json/43-stop-once': {
    outcome: 'success',
    summary: /^Left the deployment alone/,
    files: ['created deploy.md'],
  },
  'session-files/resumed-with-work': {
    outcome: 'success',
    summary: /^Created b\.txt/,
    files: ['created a.txt', 'created b.txt'],
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
  'session-files/sigkilled': {
    outcome: 'failure',
    summary: /Write a large file\..*without a result/,
    ending: 'stopped',
  },
}

function checkText({ kind, result, command, directory, signatures }: RecordedCheck): string {
  const reported = signatures.length > 0 ? ` (${signatures.length})` : ''
  return `${kind} ${result} ${command}${reported}${directory ? ` in ${directory}` : ''}`
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

  test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    const {
      outcome,
      summary,
      ending = 'done',
      files = [],
      errors = [],
      decisions = [],
      checks = [],
    } = expected
    const found = await extracted(name)
    expect(found.outcome).toBe(outcome)
    const { kind, cause, exitCode, signal } = found.ending
    expect([kind, cause, exitCode, signal].filter((part) => part !== undefined).join(' ')).toBe(ending)
    expect(found.agent).toBe('claude-code')
    expect(found.sessionId).toMatch(/^[0-9a-f-]{36}$/)
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
    expect(found.checks.map(checkText)).toEqual(checks)
  })

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
