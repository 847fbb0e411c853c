import { describe, expect, test } from 'vitest'
import { MOST_ERRORS } from '../../../src/feature-memory/extract/errors.ts'
import { extract } from '../../../src/feature-memory/extract/extract.ts'
import { errorsInText } from '../../../src/feature-memory/extract/text-errors.ts'
import { STOP_ONCE_MARK } from '../../../src/transcripts/own-marks.ts'
import { collected, ends, fails, init, PROJECT, runs, says, uses } from '../../transcripts/stream.ts'

type Lines = Record<string, unknown>[]

function errors(...lines: Lines[]): string[] {
  return extract(collected([init, ...lines.flat()]), { project: PROJECT }).errors.map(
    ({ type, filePath, line, message }) =>
      [type, ...(filePath ? [`${filePath}${line ? `:${line}` : ''}`] : []), message].join(' '),
  )
}

const TSC = "src/math.ts(6,3): error TS2322: Type 'number' is not assignable to type 'string'."
const TSC_ERROR = "compile src/math.ts:6 TS2322: Type 'number' is not assignable to type 'string'."

describe('shell commands', () => {
  test('a failure hidden by a pipe or by `; true` is found', () => {
    expect(errors(runs('npx tsc --noEmit | tail -5', TSC))).toEqual([TSC_ERROR])
    expect(errors(runs('npx tsc --noEmit; true', TSC))).toEqual([TSC_ERROR])
    expect(errors(runs('for p in a b; do npx tsc -p $p; done', TSC))).toEqual([TSC_ERROR])
  })

  test('what is merely shown is no error of this run', () => {
    for (const command of [
      'cat build.log',
      'grep -rn "error TS" .',
      'git log -p',
      'git diff | head -50',
      'sed -n 1,9p a.log',
      'echo hi',
    ]) {
      expect(errors(runs(command, TSC)), command).toEqual([])
    }
    expect(errors(uses('Read', { file_path: `${PROJECT}/build.log` }, TSC))).toEqual([])
  })

  test('unless it is the output of something this run started', () => {
    expect(errors(runs('npx tsc > out.log 2>&1'), runs('tail -20 out.log', TSC))).toEqual([TSC_ERROR])
    expect(errors(runs('npx tsc | tee out.log | wc -l', '1'), runs('cat out.log', TSC))).toEqual([TSC_ERROR])
    expect(errors(runs('git commit -m x', TSC))).toEqual([TSC_ERROR])
  })

  test('paths are relative to where the command ran', () => {
    expect(errors(fails('cd packages/api && npx tsc', TSC, 2))[0]).toContain('packages/api/src/math.ts:6')
    expect(errors(runs('cd packages/api'), fails('npx tsc', TSC, 2))[0]).toContain(
      'packages/api/src/math.ts:6',
    )
    expect(errors(fails('npx tsc', TSC.replace('src/', '/etc/'), 2))[0]).not.toContain('/etc/math.ts:6')
  })

  test('a bare file name is placed by the files the run touched', () => {
    const go = '--- FAIL: TestX (0.00s)\n    x_test.go:12: got 1, want 2\nFAIL'
    const read = uses('Read', { file_path: `${PROJECT}/internal/cart/x_test.go` }, 'x')
    expect(errors(read, fails('go test ./...', go))).toEqual([
      'test internal/cart/x_test.go:12 TestX: got 1, want 2',
    ])
  })

  test.each<[string, string, string, number, string]>([
    [
      'a missing program',
      'nosuch --flag',
      '/bin/bash: line 1: nosuch: command not found',
      127,
      'runtime /bin/bash: line 1: nosuch: command not found (`nosuch --flag` failed with exit code 127)',
    ],
    [
      'zsh',
      'nosuch',
      'zsh:1: command not found: nosuch',
      127,
      'runtime zsh:1: command not found: nosuch (`nosuch` failed with exit code 127)',
    ],
    [
      'not allowed',
      'touch /etc/x',
      "touch: cannot touch '/etc/x': Permission denied",
      1,
      "permission touch: cannot touch '/etc/x': Permission denied (`touch /etc/x` failed with exit code 1)",
    ],
    [
      'npm',
      'npm install',
      'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree',
      1,
      'runtime npm error code ERESOLVE; npm error ERESOLVE unable to resolve dependency tree (`npm install` failed with exit code 1)',
    ],
    [
      'time out',
      'npm start',
      'Command timed out after 2m 0s',
      143,
      'runtime Command timed out after 2m 0s: npm start',
    ],
    ['no words at all', 'exit 5', '', 5, 'runtime `exit 5` failed with exit code 5'],
    ['unknown words', 'npm test', 'bad luck', 1, 'test `npm test` failed with exit code 1: bad luck'],
    [
      'git',
      'git push',
      'error: failed to push some refs to origin',
      1,
      'runtime error: failed to push some refs to origin (`git push` failed with exit code 1)',
    ],
    [
      'a build',
      'make',
      'make: *** [all] Error 2',
      2,
      'compile make: *** [all] Error 2 (`make` failed with exit code 2)',
    ],
  ])('%s', (_, command, output, exitCode, expected) => {
    expect(errors(fails(command, output, exitCode))).toEqual([expected])
  })

  test('an old version says nothing of the exit code', () => {
    expect(errors(uses('Bash', { command: 'ls nope' }, "ls: cannot access 'nope'", { error: true }))).toEqual(
      ["runtime ls: cannot access 'nope' (`ls nope` failed)"],
    )
  })

  test('a question answered with no is no error', () => {
    for (const command of [
      'grep x a.ts',
      'npm ls | grep react',
      'test -f a',
      'diff a b',
      'git diff --quiet',
    ]) {
      expect(errors(fails(command, '')), command).toEqual([])
    }
    const shown = 'src/a.ts: throw new Error("failed")\ngrep: nope.ts: No such file or directory'
    expect(errors(fails('grep x nope.ts src/a.ts', shown, 2))[0]).toMatch(
      /^runtime grep: nope\.ts: No such file/,
    )
    expect(errors(fails('grep x nope.ts', 'grep: nope.ts: No such file or directory', 2))).toHaveLength(1)
  })
})

test('a sentence that looks like a place is none', () => {
  expect(errors(fails('x', `Background "echo '${TSC}" failed`))).toEqual([
    "compile TS2322: Type 'number' is not assignable to type 'string'.\" failed",
  ])
})

describe('other tools', () => {
  test.each<[string, string, string]>([
    [
      'Write',
      "EACCES: permission denied, open 'a.ts'",
      "permission a.ts EACCES: permission denied, open 'a.ts'",
    ],
    [
      'Write',
      "Claude requested permissions to write to a.ts, but you haven't granted it yet.",
      "permission a.ts Claude requested permissions to write to a.ts, but you haven't granted it yet.",
    ],
    [
      'mcp__db__query',
      'relation "users" does not exist',
      'runtime a.ts mcp__db__query: relation "users" does not exist',
    ],
  ])('%s: %s', (name, text, expected) => {
    const [first] = errors(uses(name, { file_path: `${PROJECT}/a.ts` }, text, { error: true }))
    expect(first?.startsWith(expected)).toBe(true)
  })

  test.each([
    ['Edit', '<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>'],
    [
      'Edit',
      '<tool_use_error>Found 3 matches of the string to replace, but replace_all is false.</tool_use_error>',
    ],
    ['Edit', 'File has not been read yet. Read it first before writing to it.'],
    ['Edit', 'File has been modified since read, either by the user or by a linter. Read it again.'],
    ['Read', 'EISDIR: illegal operation on a directory, read'],
    ['Read', 'File does not exist. Note: your current working directory is /home/dev/shop.'],
    ['LS', '<tool_use_error>Error: No such tool available: LS</tool_use_error>'],
    ['Bash', '<tool_use_error>InputValidationError: Bash failed: `command` is missing</tool_use_error>'],
    ['mcp__notes__remember', 'MCP error -32602: Invalid arguments for tool remember'],
    ['replace', "Could not find an exact match for 'old_string' in 'src/cart.js'. Read it again."],
    ['replace', 'Failed to edit, Expected 1 occurrence but found 8 for old_string in file: src/cart.js'],
    ['edit', 'Failed to edit. Found 8 occurrences for old_string in src/cart.js'],
    ['edit', 'File src/cart.js has not been read in this session. Use the read_file tool first.'],
    ['read_file', "params must have required property 'file_path'"],
    ['read_file', 'File path must be absolute, but was relative: src/cart.js.'],
    ['complete_task', 'params/result must be object'],
    ['run_shell_command', 'Directory must be an absolute path.'],
    ['notes-remember', "MCP server 'notes': Input validation error: Invalid arguments for tool remember"],
    ['mcp__ralph__search_feature_memory', 'there is no feature "no-such"'],
    ['ralph-search_feature_memory', "MCP server 'ralph': there is no feature"],
  ])('a slip with %s is no error: %s', (name, text) => {
    expect(errors(uses(name, { file_path: `${PROJECT}/a.ts` }, text, { error: true }))).toEqual([])
  })

  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit).",
    '[Request interrupted by user for tool use]',
    `PreToolUse:Bash hook error: ${STOP_ONCE_MARK} it failed twice in the same way.`,
  ])('nor is what a person or our own hook did not want: %s', (text) => {
    expect(errors(uses('Bash', { command: 'npm run deploy' }, text, { error: true }))).toEqual([])
  })

  test.each<[string, string, string]>([
    [
      'Bash',
      "touch in '/home/dev/shop/a.txt' needs approval. The path is inside the working directories",
      'needs approval',
    ],
    [
      'Bash',
      "cat in '/etc/hostname' was blocked. For security, Claude Code may only concatenate files from",
      'was blocked',
    ],
    ['Bash', 'Permission to use Bash with command curl http://x has been denied.', 'has been denied'],
    ['Bash', 'PreToolUse:Bash hook error: [check.sh]: no such things here\n', 'no such things here'],
    ['write_file', 'Tool "write_file" not found. Did you mean one of: "write_todos"?', 'not found'],
    ['write_file', 'Tool execution denied by policy.', 'denied by policy'],
    [
      'write_file',
      'Tool "write_file" requires user approval but cannot execute in non-interactive mode.',
      'requires user approval',
    ],
    [
      'write_file',
      'Qwen Code requires permission to use "write_file", but that permission was declined. Matching deny rule',
      'permission was declined',
    ],
    [
      'Bash',
      'exec_command failed: CreateProcess { message: "Rejected(\\"rm -f is not permitted\\")" }',
      'rm -f is not permitted',
    ],
    ['Bash', 'This command requires approval', 'This command requires approval (Bash: npm test)'],
    [
      'Read',
      '<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>',
      'denied',
    ],
  ])('%s refused: %s', (name, text, words) => {
    const input = name === 'Bash' ? { command: 'npm test' } : { file_path: `${PROJECT}/a.ts` }
    const found = errors(uses(name, input, text, { error: true }))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^permission /)
    expect(found[0]).toContain(words)
  })

  test('a background command that failed', () => {
    const lines = uses('Bash', { command: 'npm test' }, 'running', { structured: { backgroundTaskId: 'b' } })
    const id = (lines[1] as { message: { content: { tool_use_id: string }[] } }).message.content[0]!
      .tool_use_id
    const summary = 'Background command "npm test" failed with exit code 2'
    const told = { type: 'system', subtype: 'task_notification', tool_use_id: id, status: 'failed', summary }
    expect(errors(lines, [told])).toEqual([`test ${summary}`])
  })

  test('reminders to the model are no part of the message', () => {
    const text = 'The notebook is damaged.\n<system-reminder>Do this and that</system-reminder>'
    expect(errors(uses('Read', { file_path: `${PROJECT}/a.ts` }, text, { error: true }))).toEqual([
      'runtime a.ts The notebook is damaged.',
    ])
  })
})

describe('each once, and not too many', () => {
  test('the same error with other numbers, times and directories is the same', () => {
    const at = (line: number) =>
      `src/math.ts(${line},3): error TS2322: Type 'number' is not assignable to type 'string'.`
    expect(
      errors(fails('npx tsc', at(6), 2), fails('npx tsc', at(9), 2), runs('npx tsc; true', at(12))),
    ).toEqual([TSC_ERROR])
  })

  test('the same message in another file is another error', () => {
    expect(errors(fails('npx tsc', `${TSC}\n${TSC.replace('math', 'other')}`, 2))).toHaveLength(2)
  })

  test('many lint errors do not push out the failing test', () => {
    const lint = `${PROJECT}/a.js\n${Array.from({ length: 200 }, (_, index) => `  ${index + 1}:1  error  'v${'x'.repeat(index)}' is not defined  no-undef`).join('\n')}`
    const test = ' FAIL  src/a.test.ts > works\nAssertionError: expected 1 to be 2\n ❯ src/a.test.ts:4:20\n'
    const found = errors(fails('npx eslint .', lint), fails('npx vitest run', test))
    expect(found.length).toBeLessThanOrEqual(MOST_ERRORS)
    expect(found.at(-1)).toMatch(/^test src\/a\.test\.ts:4/)
  })

  test('long messages are cut', () => {
    const [message] = errors(fails('x', `error: ${'long '.repeat(1_000)}`))
    expect(message!.length).toBeLessThan(600)
  })
})

describe('trouble of the service and of the harness is no error', () => {
  const retry = { type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit' }
  test.each<[string, Lines]>([
    ['API error', [ends('API Error: 500 Internal', { is_error: true, api_error_status: 500 })]],
    ['error list', [ends('', { is_error: true, subtype: 'error_during_execution', errors: ['boom'] })]],
    ['no access', [ends('Invalid API key · Please run /login', { is_error: true })]],
    ['waiting for a rate limit', [retry, retry]],
  ])('%s', (_, lines) => {
    expect(errors(lines)).toEqual([])
  })

  test('out of time', () => {
    const run = collected([init, says('Working.')], { signal: 'SIGTERM', stopped: { reason: 'time' } })
    expect(extract(run, { project: PROJECT }).errors).toEqual([])
  })

  test('a command that ended with the run', () => {
    expect(errors(fails('npm run dev', 'listening', 137))).toEqual([])
    expect(errors([...fails('npm run dev', 'listening', 137), ends('Done.')])).toHaveLength(1)
  })
})

describe('what the agent wrote', () => {
  test.each([
    'The migration failed with `relation "users" does not exist`.',
    'The build fails because the registry is unreachable.',
    'I could not install the package because the network is blocked.',
    'I was unable to start the server: the port is taken.',
    'I hit an unexpected error when connecting to the database.',
    'TypeError: x is not a function',
    '3 tests are failing in src/cart.test.ts.',
    'The tests are still failing.',
  ])('reports an error: %s', (text) => {
    expect(errorsInText(text)).toHaveLength(1)
  })

  test.each([
    'Fixed the error in the login form.',
    'The TypeError: x is not a function no longer occurs.',
    'Type check: 0 errors, 0 warnings.',
    'No errors were found and no tests failed.',
    'Added error handling to the upload.',
    'The error message now names the file.',
    'If the request fails with a 500, we retry.',
    'The test checks that parsing fails with a SyntaxError.',
    'This would crash because the list is empty.',
    'Previously the build failed because of a missing import.',
    'The tests now pass.',
    'It throws an error when the input is empty.',
    'Returns an error if the token has expired.',
    'Resolved: the build failed due to a typo.',
    'Did the build fail because of this?',
    '```\nTypeError: x is not a function\n```',
    'All 12 tests pass without failures.',
    'Errors are handled in one place.',
  ])('is none: %s', (text) => {
    expect(errorsInText(text)).toEqual([])
  })

  test('counts where no tool said it', () => {
    expect(errors([says('The deployment failed with "quota exceeded".')])).toEqual([
      'unknown The deployment failed with "quota exceeded".',
    ])
  })

  test('repeats nothing that a tool said better', () => {
    const told = [says(`tsc fails with TS2322 in src/math.ts. The build fails because of a type error.`)]
    expect(errors(fails('npx tsc', TSC, 2), told)).toEqual([TSC_ERROR])
    const named = [says('Also, RangeError: Maximum call stack size exceeded')]
    expect(errors(fails('npx tsc', TSC, 2), named)).toEqual([
      TSC_ERROR,
      'runtime RangeError: Maximum call stack size exceeded',
    ])
  })
})
