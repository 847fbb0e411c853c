import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { calls, ending, tokens } from '../told.ts'
import { exchangesOf } from '../told-exchanges.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/agents/gemini')
const stream = (name: string) => join(FIXTURES, 'stream', `${name}.jsonl`)
const session = (name: string) => join(FIXTURES, 'session-files', `${name}.session.jsonl`)

const EXPORTS = 'What does src/money.js export?'
const FIXED =
  'Fixed the cart: `subtotal` now multiplies by the quantity and `discount` returns 0 without a coupon. All 3 tests pass; committed.'
const ROOT_CAUSE =
  'The root cause was that `subtotal` ignored quantities and `discount` dereferenced a missing coupon. Both are fixed; all tests pass.'

/** Read off the recordings. */
interface Expected {
  id: string
  ending: string
  prompt: string
  /** The last thing that was said. */
  said: string | undefined
  calls: string[]
  tokens: number[] | undefined
}

const COMMIT =
  "ok run_shell_command git add -A && git commit -qm 'Count quantities, allow carts without a coupon' && git log --oneline -1"
const FIRST_GO = [
  'ok list_directory',
  'ok read_file src/cart.js',
  'ok read_file test/cart.test.js',
  'ok grep_search',
  'ok glob',
  'ok replace src/cart.js',
  'ok replace src/cart.js',
  'ok write_file docs/cart.md',
  'ok run_shell_command npm test',
  COMMIT,
]
const RESUMED = ['ok replace src/cart.js', 'ok run_shell_command npm test 2>&1 | grep "^# "']
const READ_MONEY = ['ok read_file src/money.js']
const SLOW = 'unfinished run_shell_command echo started; sleep 60; echo never'

const STREAMS: Record<string, Expected> = {
  '00-hello': {
    id: '8f0b2a3b-9b1f-4e01-8cf0-ad7d3c7a85a1',
    ending: 'completed',
    prompt: 'Say hello.',
    said: 'Hello! Nothing to do.',
    calls: [],
    tokens: [12_216, 8, 0],
  },
  // 17 tokens of thoughts are in the total only.
  '01-first-go': {
    id: 'b0971dca-be76-4c04-93e7-96d74491a84e',
    ending: 'completed',
    prompt: 'The cart tests fail. Fix them.',
    said: FIXED,
    calls: FIRST_GO,
    tokens: [28_293, 423 + 17, 64_282],
  },
  // The program calls both failed commands a success.
  '02-mended': {
    id: 'dbe6cb5c-ece6-481f-b116-1c524f806c41',
    ending: 'completed',
    prompt: 'npm test fails. Find out why and mend it.',
    said: ROOT_CAUSE,
    calls: [
      'failed run_shell_command npm test',
      'failed replace src/cart.js',
      'ok read_file src/cart.js',
      'failed read_file src/missing.js',
      'ok replace src/cart.js',
      'failed replace src/cart.js',
      'failed run_shell_command yarn-is-not-here test',
      'ok run_shell_command npm test | tail -3; true',
      'failed no_such_tool',
      'failed read_file wrong argument name',
      'ok replace src/cart.js',
      'ok run_shell_command npm test',
    ],
    tokens: [34_448, 445, 88_890],
  },
  '03a-500-then-ok': {
    id: '663d95cc-cbd1-4cc5-ab82-fa422ecc6f32',
    ending: 'completed',
    prompt: EXPORTS,
    said: 'It exports cents() and format().',
    calls: READ_MONEY,
    tokens: [14_690, 32, 9_875],
  },
  '03b-500-forever': {
    id: '2cac1d36-277d-461c-913d-f032d5b2849c',
    ending: 'service_failed api, passing',
    prompt: EXPORTS,
    said: undefined,
    calls: READ_MONEY,
    tokens: [12_221, 21, 0],
  },
  // Its words name billing, but say when to try again.
  '03c-429-forever': {
    id: '1a95fa71-7195-4cf8-8e0a-3ea43189bb35',
    ending: 'service_failed rate_limit, passing',
    prompt: EXPORTS,
    said: undefined,
    calls: READ_MONEY,
    tokens: [12_221, 21, 0],
  },
  '03e-context-length': {
    id: 'dd26b2c2-71a2-40e4-8f62-69661e225989',
    ending: 'service_failed context',
    prompt: EXPORTS,
    said: undefined,
    calls: READ_MONEY,
    tokens: [12_221, 21, 0],
  },
  '03f-401': {
    id: '1cb28649-8b88-4ea2-a94c-0610e35ed2cf',
    ending: 'service_failed key',
    prompt: EXPORTS,
    said: undefined,
    calls: [],
    tokens: [0, 0, 0],
  },
  '03j-max-tokens': {
    id: '9f8303a8-0e04-4ade-aa48-df9c694170d9',
    ending: 'completed',
    prompt: EXPORTS,
    said: 'It exports cents(), which',
    calls: [],
    tokens: [12_221, 9, 0],
  },
  '03m-max-turns': {
    id: '5bb87e11-2ad6-4673-9615-1a6eeeda0f15',
    ending: 'service_failed turns',
    prompt: EXPORTS,
    said: undefined,
    calls: [...READ_MONEY, 'ok read_file src/cart.js'],
    tokens: [14_690, 42, 9_875],
  },
  // The program ended with exit code 0; the missing result tells.
  '04a-sigterm': {
    id: '0d2ff7b0-f265-40a4-8c38-9dd11e8ae442',
    ending: 'cut',
    prompt: 'Run the slow check.',
    said: 'Now the slow check.',
    calls: ['ok read_file src/cart.js', SLOW],
    tokens: undefined,
  },
  '04b-sigkill': {
    id: 'f5b9ac5a-807e-452e-ad0f-d7f029bfa235',
    ending: 'cut',
    prompt: 'Run the slow check.',
    said: 'Now the slow check.',
    calls: ['ok replace src/cart.js', SLOW],
    tokens: undefined,
  },
  '04c-sigint': {
    id: 'd90bad8f-d755-4bb7-bd07-ae785a1b3e8d',
    ending: 'cut',
    prompt: 'Run the slow check.',
    said: 'Now the slow check.',
    calls: ['ok read_file src/cart.js', SLOW],
    tokens: undefined,
  },
  '05-mcp': {
    id: 'cdab3e55-6cac-4a7e-8180-a3d558fdeaa7',
    ending: 'completed',
    prompt: 'Ask the memory what failed before at the cart, then keep what you learned.',
    said: 'Memory knew one failed attempt at the cart; I kept one learning.',
    calls: [
      'ok mcp_ralph_search_feature_memory',
      'ok mcp_ralph_append_feature_learning',
      'failed mcp_ralph_search_feature_memory',
    ],
    tokens: [24_464, 132, 37_246],
  },
  '05c-mcp-default-permissions': {
    id: '6ee26bca-f3ab-4baf-9f0f-ba27b89e5612',
    ending: 'completed',
    prompt: 'Ask the memory what failed before at the cart.',
    said: 'Done.',
    calls: [
      'failed mcp_ralph_search_feature_memory',
      'failed run_shell_command npm test',
      'failed write_file x.txt',
    ],
    tokens: [12_342, 77, 14_369],
  },
  '05g-mcp-trusted-server': {
    id: '2abc8772-9771-4d7d-84dc-4095d3e5db23',
    ending: 'completed',
    prompt: 'Ask the memory what failed before at the cart.',
    said: 'Done.',
    calls: ['ok mcp_ralph_search_feature_memory'],
    tokens: [13_490, 33, 9_131],
  },
  // What a hook gave before the prompt is nobody's words.
  '07-hooks': {
    id: 'cf58b620-8750-4884-8abf-6a4869daec13',
    ending: 'completed',
    prompt: 'The cart tests fail. Fix them.',
    said: 'Fixed.',
    calls: [
      'ok read_file src/cart.js',
      'failed run_shell_command npm test',
      'ok replace src/cart.js',
      'failed replace src/cart.js',
    ],
    tokens: [20_364, 154, 32_389],
  },
  '08a-resume': {
    id: 'b0971dca-be76-4c04-93e7-96d74491a84e',
    ending: 'completed',
    prompt: 'Now also round the discount down.',
    said: 'Discounts are now rounded down.',
    calls: RESUMED,
    tokens: [21_332, 90, 24_729],
  },
  '09-permission-denied': {
    id: '13f76eb5-7281-40da-9ea3-8b1d64540030',
    ending: 'completed',
    prompt: 'Write a note and run the tests.',
    said: 'I could not write: the tools are not allowed here.',
    calls: ['failed write_file NOTE.md', 'failed run_shell_command npm test', 'ok read_file README.md'],
    tokens: [13_390, 84, 20_422],
  },
  '12-old-0.24.0': {
    id: '766f94cb-ecb3-4d9c-88aa-0eb90edab542',
    ending: 'completed',
    prompt: 'The cart tests fail. Fix them.',
    said: 'Half of it is fixed: quantities count now.',
    calls: [
      'ok read_file src/cart.js',
      'failed no_such_tool',
      'failed run_shell_command npm test',
      'failed replace src/cart.js',
      'ok replace src/cart.js',
    ],
    tokens: [18_256, 186 + 6, 35_316],
  },
}

describe('the stream of a run', () => {
  test.each(Object.entries(STREAMS))('%s', async (name, expected) => {
    const run = await readTranscript(stream(name))
    expect({ agent: run.agent, format: run.format, model: run.model, unknown: run.lines.unknown }).toEqual({
      agent: 'gemini',
      format: 'stream-json',
      model: 'gemini-2.5-pro',
      unknown: 0,
    })
    expect({
      id: run.sessionId,
      ending: ending(run),
      prompt: run.prompt,
      said: run.texts.at(-1)?.text,
      calls: calls(run),
      tokens: tokens(run),
    }).toEqual(expected)
  })

  test('a command with much output that fails is known by its last line', async () => {
    const run = await readTranscript(stream('06-large-output'))
    const commands = run.toolCalls.filter(({ kind }) => kind === 'shell')
    expect(commands.map(({ status }) => status)).toEqual(['ok', 'failed', 'ok', 'ok'])
    expect(commands[0]?.output).toMatch(/^line 1 of the build log[\s\S]*number 900$/)
    expect(commands[1]?.output).toMatch(/FATAL: disk quota exceeded at step 1500$/)
  })

  test('pieces of text are one text until something else comes', async () => {
    const { texts, result } = await readTranscript(stream('01-first-go'))
    expect(texts.map(({ text }) => text)).toEqual([
      'I will look at the cart and its tests first.',
      'subtotal ignores the quantity and discount assumes a coupon. I decided to return 0 when there is no coupon.',
      FIXED,
    ])
    expect(result).toMatchObject({ subtype: 'success', isError: false, text: FIXED })
  })

  test('the service is quoted without the frame around its words', async () => {
    const { service, result } = await readTranscript(stream('03b-500-forever'))
    expect(service?.words).toBe('An internal error has occurred.')
    expect(result?.text).toBe('An internal error has occurred.')
  })

  test('the words of an MCP server are taken out of the call around them', async () => {
    const { toolCalls } = await readTranscript(stream('05-mcp'))
    expect(toolCalls.at(-1)?.output).toBe(
      'there is no feature "no-such-feature" in this project. Features here: cart.',
    )
  })

  test.each(['03k-no-auth', '05d-mcp-untrusted-folder'])('%s printed nothing: no run', async (name) => {
    await expect(readTranscript(stream(name))).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

/** The session files tell more of some calls, and less of the ends. */
const IN_SESSION: Record<string, Partial<Expected>> = {
  '01-first-go': {
    calls: FIRST_GO.map((call) =>
      call
        .replace('grep_search', 'grep_search src/cart.js')
        .replace('write_file docs/cart.md', 'write_file docs/cart.md (new)'),
    ),
  },
  // API failures and limits leave no line: the file just ends.
  '03b-500-forever': { ending: 'cut' },
  '03c-429-forever': { ending: 'cut' },
  '03e-context-length': { ending: 'cut' },
  '03f-401': { ending: 'cut', tokens: undefined },
  '03m-max-turns': { ending: 'cut' },
  // The command that was running is nowhere, but the model wrote more than is told.
  '04a-sigterm': { calls: ['ok read_file src/cart.js', 'unfinished unknown'], tokens: [14_696, 55, 9_908] },
  '04b-sigkill': { calls: ['ok replace src/cart.js', 'unfinished unknown'], tokens: [14_707, 104, 9_955] },
  '04c-sigint': { calls: ['ok read_file src/cart.js', 'unfinished unknown'], tokens: [14_696, 55, 9_908] },
}
const SESSIONS = Object.keys(STREAMS).filter((name) => !['08a-resume', '12-old-0.24.0'].includes(name))

describe('the session file of a run', () => {
  test.each(SESSIONS)('%s', async (name) => {
    const run = await readTranscript(session(name))
    expect({ agent: run.agent, format: run.format, cwd: run.cwd, unknown: run.lines.unknown }).toEqual({
      agent: 'gemini',
      format: 'session',
      cwd: '/home/user/project',
      unknown: 0,
    })
    expect({
      id: run.sessionId,
      ending: ending(run),
      prompt: run.prompt,
      said: run.texts.at(-1)?.text,
      calls: calls(run),
      tokens: tokens(run),
    }).toEqual({ ...STREAMS[name], ...IN_SESSION[name] })
  })

  test.each(SESSIONS)('%s is one exchange', async (name) => {
    const { id, prompt, said, ending } = { ...STREAMS[name]!, ...IN_SESSION[name] }
    const exchanges = await exchangesOf(session(name))
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]).toMatchObject({
      conversationId: id,
      prompt,
      answer: said ?? '',
      interrupted: ending === 'cut',
    })
  })

  test('a resumed session repeats its history, which counts once', async () => {
    const run = await readTranscript(session('08a-resume'))
    expect(calls(run)).toEqual([...IN_SESSION['01-first-go']!.calls!, ...RESUMED])
    expect(tokens(run)).toEqual([28_293 + 21_332, 440 + 90, 64_282 + 24_729])
    expect(run.texts.map(({ text }) => text).slice(-3)).toEqual([
      FIXED,
      'Continuing from the last session.',
      'Discounts are now rounded down.',
    ])
    // The five seconds in which nobody worked are not its time.
    expect(run.durationMs).toBe(2_817 + 1_415)
  })

  test('its prompts are exchanges with ids of their own', async () => {
    const exchanges = await exchangesOf(session('08a-resume'))
    expect(exchanges.map(({ prompt, answer, promptId }) => [prompt, answer, promptId])).toEqual([
      ['The cart tests fail. Fix them.', FIXED, '7350cadc-9290-4de8-a55a-e5bbf2663dd8'],
      [
        'Now also round the discount down.',
        'Discounts are now rounded down.',
        '188ea8e2-6363-44a4-b444-247ad34b604c',
      ],
    ])
  })

  test('the second file that a resumed session leaves holds nothing', async () => {
    const path = join(FIXTURES, 'session-files/08a-resume.stub-session.jsonl')
    const run = await readTranscript(path)
    expect([run.sessionId, run.toolCalls, run.texts]).toEqual([STREAMS['01-first-go']!.id, [], []])
    expect(await exchangesOf(path)).toEqual([])
  })

  test('the one document of an older version', async () => {
    const path = join(FIXTURES, 'session-files/12-old-0.24.0.session.json')
    const run = await readTranscript(path)
    const { calls: called, said, prompt, id } = STREAMS['12-old-0.24.0']!
    expect([run.agent, run.format, ending(run), run.sessionId]).toEqual([
      'gemini',
      'session',
      'completed',
      id,
    ])
    expect(calls(run)).toEqual(called)
    // Of four answers the older program kept two.
    expect(tokens(run)).toEqual([9_425 + 2_266, 34 + 6 + 13, 9_061])
    expect(await exchangesOf(path)).toMatchObject([{ prompt, answer: said, conversationId: id }])
  })

  test('what hooks gave is neither in the prompt nor in the results', async () => {
    const [exchange] = await exchangesOf(session('07-hooks'))
    expect(JSON.stringify(exchange)).not.toContain('MARKER')
  })

  test('what our own memory answered is not repeated', async () => {
    const [exchange] = await exchangesOf(session('05-mcp'))
    expect(exchange?.steps.map(({ role }) => role)).toEqual(['tool_call', 'tool_call', 'tool_call'])
  })
})
