/**
 * How fast an agent's output becomes a record, and in how much memory: streams of a gigabyte of four kinds, collected in
 * pipe-sized chunks and extracted. `node bench/extraction.ts 200 huge`: 200 MB, only the kinds whose name has "huge".
 */

import { extract } from '../src/feature-memory/extract/extract.ts'
import { Collector } from '../src/transcripts/collector.ts'

const MEGABYTE = 1_000_000
const TARGET = Number(process.argv[2] ?? 1_000)
const CHUNK = 64 * 1024
/** Repeated until the target is reached, so that making the stream is not what is measured. */
const BLOCK = 32 * MEGABYTE

let calls = 0

function line(value: object): string {
  return `${JSON.stringify({ ...value, session_id: '0533890d-0fb6-4417-b1e5-628bb4870df6', parent_tool_use_id: null })}\n`
}

function exchange(name: string, input: object, content: string, structured: object | string): string {
  const id = `toolu_${(++calls).toString(16).padStart(24, '0')}`
  const usage = {
    input_tokens: 12,
    cache_creation_input_tokens: 200,
    cache_read_input_tokens: 31_000,
    output_tokens: 40,
  }
  const model = 'claude-sonnet-4-5-20250929'
  return (
    line({
      type: 'assistant',
      message: { id: `msg_${id}`, model, content: [{ type: 'tool_use', id, name, input }], usage },
    }) +
    line({
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content, is_error: typeof structured === 'string' },
        ],
      },
      tool_use_result: structured,
    })
  )
}

function code(bytes: number): string {
  const row = "  const label = user.profile?.name ?? 'unknown'; // falls back — see docs/user.md\n"
  return row.repeat(Math.ceil(bytes / row.length))
}

const failingTests = `Exit code 1\n\n RUN  v3.2.7 /home/dev/shop\n\n${' ✓ src/some.test.ts (12 tests) 8ms\n'.repeat(60)}
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/user.test.ts > greets a user without a profile
TypeError: Cannot read properties of undefined (reading 'name')
 ❯ greet src/user.ts:8:32
`

function read(bytes: number): string {
  const filePath = `/home/dev/shop/src/part-${calls % 500}.ts`
  const content = code(bytes)
  return exchange('Read', { file_path: filePath }, content, { type: 'text', file: { filePath, content } })
}

function edit(bytes: number): string {
  const filePath = `/home/dev/shop/src/part-${calls % 500}.ts`
  const input = { file_path: filePath, old_string: 'const label', new_string: 'const name' }
  return exchange('Edit', input, `The file ${filePath} has been updated.`, {
    filePath,
    originalFile: code(bytes),
  })
}

function shell(bytes: number): string {
  const stdout = code(bytes)
  return exchange('Bash', { command: `npm run report -- ${calls}` }, stdout, { stdout, stderr: '' })
}

const text = () =>
  line({
    type: 'assistant',
    message: {
      id: `msg_text_${++calls}`,
      content: [
        {
          type: 'text',
          text: 'The tests pass. I decided to use SQLite over Postgres because it needs no server.',
        },
      ],
    },
  })

const partial = () =>
  line({
    type: 'stream_event',
    event: {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'text_delta', text: 'Listing the files now.' },
    },
  })

const KINDS: Record<string, () => string> = {
  'typical work': () =>
    [
      text(),
      read(8_000),
      edit(8_000),
      shell(2_000),
      exchange('Bash', { command: 'npx vitest run' }, failingTests, `Error: ${failingTests}`),
      read(30_000),
    ].join(''),
  'many small steps': () => [text(), shell(100), read(300)].join(''),
  'huge results': () => [read(400_000), shell(200_000)].join(''),
  'partial messages': () => [text(), ...Array.from({ length: 200 }, partial)].join(''),
}

console.log(`Resident before: ${resident()} MB. ${TARGET} MB per kind, chunks of ${CHUNK / 1024} kB.\n`)
const rows: Record<string, object> = {}
for (const [name, make] of Object.entries(KINDS)) {
  if (name.includes(process.argv[3] ?? '')) rows[name] = measure(make)
}
console.table(rows)
console.log(`Most resident memory over all: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)

function blockOf(make: () => string): Buffer {
  const parts: string[] = []
  for (let size = 0; size < BLOCK; size += parts.at(-1)!.length) parts.push(make())
  return Buffer.from(parts.join(''))
}

function measure(make: () => string): object {
  const block = blockOf(make)
  const collector = new Collector()
  let pushed = 0
  let most = 0
  const start = performance.now()
  const cpuBefore = process.cpuUsage()
  while (pushed < TARGET * MEGABYTE) {
    for (let at = 0; at < block.length; at += CHUNK) collector.push(block.subarray(at, at + CHUNK))
    pushed += block.length
    most = Math.max(most, resident())
  }
  const run = collector.finish()
  const collected = performance.now()
  const { errors, filesTouched } = extract(run, { project: '/home/dev/shop' })
  const done = performance.now()
  const cpu = process.cpuUsage(cpuBefore)
  return {
    'MB/s': Math.round(pushed / MEGABYTE / ((done - start) / 1_000)),
    // Other work on the machine does not slow this one down.
    'MB per s of CPU': Math.round(pushed / (cpu.user + cpu.system)),
    'extract, ms': Math.round(done - collected),
    'resident, MB': most,
    lines: run.lines.total,
    calls: run.toolCalls.length,
    files: filesTouched.length,
    errors: errors.length,
  }
}

function resident(): number {
  return Math.round(process.memoryUsage.rss() / MEGABYTE)
}
