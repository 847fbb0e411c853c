import { describe, expect, test } from 'vitest'
import { Collector } from '../../src/transcripts/collector.ts'
import { collected, ends, init, runs, SESSION, says, uses } from './stream.ts'

const usage = (input: number, cost: number) => ({ m: { inputTokens: input, outputTokens: 1, costUSD: cost } })

describe('lines', () => {
  test('a byte order mark, carriage returns and empty lines do no harm', () => {
    const collector = new Collector()
    collector.push(`\uFEFF${JSON.stringify(init)}\r\n\r\n${JSON.stringify(says('Hello.'))}\r\n`)
    const run = collector.finish()
    expect(run.sessionId).toBe(SESSION)
    expect(run.texts).toHaveLength(1)
    expect(run.lines).toEqual({ total: 2, unknown: 0, broken: 0, oversized: 0 })
  })

  test('broken lines and unknown types are counted and passed over', () => {
    const collector = new Collector()
    for (const line of [
      'npm warn something',
      '{"type":"assis',
      '[]',
      '42',
      '"text"',
      '{"type":"new_thing"}',
      '{}',
    ]) {
      collector.pushLine(line)
    }
    collector.pushLine(JSON.stringify(says('Still here.')))
    const run = collector.finish()
    expect(run.lines).toMatchObject({ total: 8, broken: 4, unknown: 2 })
    expect(run.texts[0]?.text).toBe('Still here.')
  })

  test('a last line without line feed counts when it is whole, and is not called broken when it is cut', () => {
    const whole = new Collector()
    whole.push(JSON.stringify(ends('Done.')))
    expect(whole.finish()).toMatchObject({ ending: 'completed', lines: { total: 1, broken: 0 } })
    const cut = new Collector()
    cut.push(`${JSON.stringify(init)}\n`)
    cut.push(Buffer.from(JSON.stringify(says('naïve ✓'))).subarray(0, -120))
    expect(cut.finish()).toMatchObject({ ending: 'cut', lines: { total: 2, broken: 0 } })
  })

  test('a line beyond the limit is skipped, the next one is read', () => {
    const collector = new Collector({ limits: { line: 1_000 } })
    collector.push(`${JSON.stringify(says('x'.repeat(5_000)))}\n`)
    for (let part = 0; part < 10; part++) collector.push('y'.repeat(400))
    collector.push(`\n${JSON.stringify(says('Short.'))}\n`)
    const run = collector.finish()
    expect(run.lines.oversized).toBe(2)
    expect(run.texts.map(({ text }) => text)).toEqual(['Short.'])
  })

  test('events printed as one array are read too', () => {
    const collector = new Collector()
    collector.push(JSON.stringify([init, says('Hello.'), ends('Hello.')]))
    expect(collector.finish()).toMatchObject({ ending: 'completed', lines: { broken: 0 } })
  })

  test('partial messages are passed over wherever their type stands', () => {
    const collector = new Collector()
    collector.pushLine('{"type":"stream_event","event":{}}')
    collector.pushLine('{"event":{},"type":"stream_event"}')
    // An answer that merely speaks of them is an answer.
    collector.pushLine(JSON.stringify(says('{"type":"stream_event"} is a partial message')))
    expect(collector.finish()).toMatchObject({ texts: [{}], lines: { total: 3, unknown: 0, broken: 0 } })
  })

  test('what is known of the process is part of the run', () => {
    const run = collected([init, says('Hello.')], {
      exitCode: null,
      signal: 'SIGKILL',
      stopped: { reason: 'time', limitMs: 5 },
    })
    expect(run.process).toEqual({
      exitCode: undefined,
      signal: 'SIGKILL',
      stopped: { reason: 'time', limitMs: 5 },
    })
    expect(collected([init], { durationMs: 60_000 }).durationMs).toBe(60_000)
  })
})

describe('results', () => {
  test('of several, the last one counts, and running totals are not added up', () => {
    const run = collected([
      init,
      says('First.'),
      ends('First.', {
        total_cost_usd: 0.1,
        modelUsage: usage(100, 0.1),
        model_usage_since_last_result: usage(100, 0.1),
        result_index: 0,
      }),
      init,
      says('Second.'),
      ends('Second.', {
        total_cost_usd: 0.3,
        modelUsage: usage(250, 0.3),
        model_usage_since_last_result: usage(150, 0.2),
        result_index: 1,
      }),
    ])
    expect(run).toMatchObject({
      result: { text: 'Second.' },
      costUsd: 0.3,
      usage: { input: 250 },
    })
  })

  test('what a resumed session had used before is not this run’s', () => {
    const run = collected([
      ends('A.', {
        total_cost_usd: 1.5,
        modelUsage: usage(900, 1.5),
        model_usage_since_last_result: usage(100, 0.5),
      }),
      ends('B.', {
        total_cost_usd: 1.75,
        modelUsage: usage(950, 1.75),
        model_usage_since_last_result: usage(50, 0.25),
      }),
    ])
    expect(run.costUsd).toBeCloseTo(0.75, 10)
    expect(run.usage?.input).toBe(150)
  })

  test('a turn cut after an earlier result leaves the run unfinished', () => {
    const run = collected([init, says('First.'), ends('First.'), init, ...runs('npm test')])
    expect(run.ending).toBe('cut')
    expect(run.result?.text).toBe('First.')
  })

  test('without a result the responses are counted, each once', () => {
    const response = (id: string, output: number) => ({
      ...says('x'),
      message: { id, content: [], usage: { input_tokens: 10, output_tokens: output } },
    })
    const run = collected([response('a', 1), response('a', 5), response('b', 7)])
    expect(run.usage).toMatchObject({ input: 20, output: 12 })
    expect(run.costUsd).toBeUndefined()
  })

  test.each([
    ['service_failed rate_limit', { is_error: true, api_error_status: 429, result: 'API Error' }],
    ['service_failed rate_limit', { is_error: true, api_error_status: 529, result: 'API Error' }],
    ['service_failed rate_limit', { is_error: true, api_error: 'usage_limit_reached', result: 'Limit' }],
    ['service_failed rate_limit', { is_error: true, result: 'Claude AI usage limit reached|1755806400' }],
    ['service_failed rate_limit', { is_error: true, result: "You've hit your session limit · resets 3pm" }],
    ['service_failed api', { is_error: true, api_error_status: 500, result: 'API Error: 500' }],
    ['completed', { result: 'The API answered 429 when the usage limit was reached; now it retries.' }],
    ['failed', { is_error: true, subtype: 'error_during_execution', errors: ['boom'] }],
    ['failed', { is_error: true, subtype: 'error_max_structured_output_retries' }],
    ['service_failed turns', { is_error: true, subtype: 'error_max_turns' }],
    [
      'interrupted',
      { is_error: true, subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' },
    ],
  ])('ends as %s: %j', (expected, fields) => {
    const { ending, service } = collected([init, ends('', fields)])
    expect([ending, service?.cause].filter(Boolean).join(' ')).toBe(expected)
  })

  test('killed while it waited for the next try: the limit is why', () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 429, error: 'rate_limit' }
    expect(collected([init, retry], { signal: 'SIGTERM' }).service?.cause).toBe('rate_limit')
    expect(collected([init, retry, says('Going on.')], { signal: 'SIGTERM' }).ending).toBe('cut')
  })
})

describe('tool calls', () => {
  test('results in another order than the calls find their calls', () => {
    const [callA, resultA] = uses('Read', { file_path: '/home/dev/shop/a' }, 'a')
    const [callB, resultB] = uses(
      'Read',
      { file_path: '/home/dev/shop/b' },
      '<tool_use_error>no</tool_use_error>',
      { error: true },
    )
    const run = collected([callA!, callB!, resultB!, resultA!])
    expect(run.toolCalls.map(({ status }) => status)).toEqual(['ok', 'failed'])
  })

  test('a failure whose call is not in the transcript still counts', () => {
    const [, result] = uses('Bash', { command: 'x' }, 'Exit code 1\nboom', { error: true })
    expect(collected([result!]).toolCalls).toMatchObject([
      { name: 'unknown', status: 'failed', output: 'Exit code 1\nboom' },
    ])
  })

  test('an interrupted command failed; one in the background is not over', () => {
    const run = collected([
      ...uses('Bash', { command: 'a' }, '', { structured: { stdout: '', interrupted: true } }),
      ...uses('Bash', { command: 'b' }, 'Command running in background', {
        structured: { stdout: '', backgroundTaskId: 'b1' },
      }),
    ])
    expect(run.toolCalls.map(({ status }) => status)).toEqual(['failed', 'unfinished'])
  })

  test('a background command gets its end when it is told', () => {
    const background = (command: string) =>
      uses('Bash', { command }, 'Command running in background', { structured: { backgroundTaskId: 'b1' } })
    const told = (lines: Record<string, unknown>[], status: string) => {
      const id = (lines[1] as { message: { content: { tool_use_id: string }[] } }).message.content[0]!
        .tool_use_id
      return [
        ...lines,
        {
          type: 'system',
          subtype: 'task_notification',
          tool_use_id: id,
          status,
          summary: `Background command ${status}`,
        },
      ]
    }
    const run = collected([
      ...told(background('a'), 'failed'),
      ...told(background('b'), 'completed'),
      ...background('c'),
    ])
    expect(run.toolCalls.map(({ status, output }) => [status, output])).toEqual([
      ['failed', 'Background command failed'],
      ['ok', 'Command running in background'],
      ['unfinished', 'Command running in background'],
    ])
  })

  test('in a session file the end of a background command is told in the user’s role', () => {
    const frame = { sessionId: 's', isSidechain: false }
    const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } }
    const result = { type: 'tool_result', tool_use_id: 't', content: 'Command running in background' }
    const notice =
      '<task-notification>\n<tool-use-id>t</tool-use-id>\n<status>failed</status>\n<summary>It failed with exit code 2</summary>\n</task-notification>'
    const run = collected([
      { ...frame, type: 'assistant', message: { id: 'm', content: [call] } },
      { ...frame, type: 'user', message: { content: [result] }, toolUseResult: { backgroundTaskId: 'b' } },
      { ...frame, type: 'user', message: { content: notice } },
      { ...frame, type: 'user', message: { content: 'And now?' } },
    ])
    expect(run).toMatchObject({
      prompt: 'And now?',
      toolCalls: [{ status: 'failed', output: 'It failed with exit code 2' }],
    })
  })

  test('the structured result holds more of a long output than the preview', () => {
    const stdout = `start\n${'line\n'.repeat(5_000)}the end`
    const run = collected(
      uses('Bash', { command: 'a' }, 'start … preview', { structured: { stdout, stderr: 'oops' } }),
    )
    expect(run.toolCalls[0]?.output).toContain('the end\noops')
  })

  test('what files contain is not kept', () => {
    const run = collected(uses('Read', { file_path: '/home/dev/shop/a' }, 'secret '.repeat(1_000)))
    expect(JSON.stringify(run)).not.toContain('secret')
  })

  test('a search that finds too many files says nothing of any of them', () => {
    const filenames = Array.from({ length: 300 }, (_, index) => `src/${index}.ts`)
    expect(
      collected(uses('Glob', { pattern: '**' }, filenames.join('\n'), { structured: { filenames } }))
        .toolCalls[0]?.paths,
    ).toEqual([])
  })

  test.each([
    ['files', {}, 'Found 2 files\nsrc/a.ts\nsrc/b.ts', ['src/a.ts', 'src/b.ts']],
    [
      'content',
      {},
      'src/a.ts:3:import x from "y"\nsrc/a.ts-4-next\nMakefile.am:9:all:',
      ['src/a.ts', 'Makefile.am'],
    ],
    [
      'count',
      {},
      'src/a.ts:2\nsrc/b.ts:1\n\nFound 3 total occurrences across 2 files.',
      ['src/a.ts', 'src/b.ts'],
    ],
    [
      'one file, lines only',
      { path: '/home/dev/shop/src/a.ts' },
      '3:import x\n9:x()',
      ['/home/dev/shop/src/a.ts'],
    ],
    ['nothing', { path: '/home/dev/shop/src/a.ts' }, 'No matches found', []],
  ])('without structure, a search result is read from its text: %s', (_, input, text, expected) => {
    expect(collected(uses('Grep', { pattern: 'x', ...input }, text)).toolCalls[0]?.paths).toEqual(expected)
  })
})

describe('texts', () => {
  test('what the program writes in anybody’s name is not taken for speech', () => {
    const replay = { type: 'user', isReplay: true, message: { role: 'user', content: 'An old question' } }
    const synthetic = {
      type: 'user',
      isSynthetic: true,
      message: { role: 'user', content: [{ type: 'text', text: 'Summary of before' }] },
    }
    const filler = says('No response requested.')
    ;(filler['message'] as Record<string, unknown>)['model'] = '<synthetic>'
    const run = collected([init, replay, synthetic, filler])
    expect(run).toMatchObject({ prompt: undefined, texts: [] })
  })

  test('the person’s words are the prompt', () => {
    expect(collected([{ type: 'user', message: { role: 'user', content: 'Fix the login' } }]).prompt).toBe(
      'Fix the login',
    )
  })
})

describe('memory', () => {
  test('however many calls and texts, what is held stays within the limits', () => {
    const limits = { toolCalls: 200, outputTotal: 50_000, textTotal: 5_000 }
    const collector = new Collector({ limits })
    for (let index = 0; index < 2_000; index++) {
      collector.pushLine(JSON.stringify(says(`Step ${index} of the work.`)))
      const output = `${'output '.repeat(100)}${index}`
      for (const line of runs(`npm run step-${index}`, output)) collector.pushLine(JSON.stringify(line))
    }
    for (const line of uses('Edit', { file_path: '/home/dev/shop/last.ts', old_string: 'a' }, 'ok'))
      collector.pushLine(JSON.stringify(line))
    const run = collector.finish()
    expect(run.toolCalls.length).toBeLessThanOrEqual(200)
    expect(run.toolCalls.at(-1)?.paths).toEqual(['/home/dev/shop/last.ts'])
    expect(run.toolCalls.reduce((sum, { output }) => sum + output.length, 0)).toBeLessThanOrEqual(50_000)
    expect(run.texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(5_000)
    expect(run.texts.at(-1)?.text).toBe('Step 1999 of the work.')
  })

  test('repeated reads go first: no file is forgotten for them', () => {
    const collector = new Collector({ limits: { toolCalls: 100 } })
    const push = (lines: object[]) => lines.forEach((line) => void collector.pushLine(JSON.stringify(line)))
    push(uses('Write', { file_path: '/home/dev/shop/early.ts' }, 'File created successfully at: x'))
    for (let index = 0; index < 1_000; index++)
      push(uses('Read', { file_path: `/home/dev/shop/${index % 5}.ts` }, 'x'))
    expect(collector.finish().toolCalls[0]?.paths).toEqual(['/home/dev/shop/early.ts'])
  })

  test('a long output keeps its beginning and its end, cut at line ends', () => {
    const output = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n')
    const kept = collected(runs('cat', output)).toolCalls[0]!.output
    expect(kept.length).toBeLessThan(70_000)
    expect(kept).toMatch(/^line 0\n/)
    expect(kept).toMatch(/line 19999$/)
    expect(kept).toMatch(/\n… \[\d+ characters left out\] …\nline \d+\n/)
  })
})
