import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { init, says } from './stream.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'collect-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function written(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}

const lines = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('')

test('one agent is not taken for another that was named', async () => {
  const path = await written('claude.jsonl', lines(init, says('Done.')))
  expect((await readTranscript(path, { agent: 'claude-code' })).agent).toBe('claude-code')
  await expect(readTranscript(path, { agent: 'gemini' })).rejects.toMatchObject({
    message: expect.stringMatching(/none of its 2 lines is from a run of Gemini CLI$/),
    hint: expect.stringContaining('Leave --format out'),
  })
})

describe('what is no transcript is refused in one clear line, with the next step', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['empty.jsonl', '', /is empty: there is no run in it/],
    ['blank.jsonl', '\n\n  \n', /is empty/],
    ['text.txt', 'Dear diary,\ntoday I wrote no JSON.\n', /none of its 2 lines is JSON/],
    ['one.txt', 'just text', /its only line is not JSON/],
    ['other.jsonl', '{"a":1}\n{"b":2}\n', /none of its 2 lines is from a run of an agent/],
    ['pretty.json', '{\n  "type": "result"\n}\n', /none of its 3 lines is JSON/],
    ['program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]), /is a binary file/],
    ['packed.jsonl.gz', gzipSync('{}'), /is a binary file/],
  ])('%s', async (name, content, message) => {
    const path = await written(name, content)
    const error = await readTranscript(path).catch((reason: unknown) => reason)
    expect(isRalphError(error) && error.code).toBe('invalid_input')
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).toContain(name)
    expect((error as Error).message).not.toContain('\n')
    expect(isRalphError(error) && error.hint).toBeTruthy()
  })

  test('a directory, and a file that is not there', async () => {
    await expect(readTranscript(directory)).rejects.toThrow(/is a folder/)
    await expect(readTranscript(join(directory, 'nope'))).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a transcript with a few broken lines is a transcript', async () => {
  const run = await readTranscript(
    await written('noisy.jsonl', `warning: x\n${lines(init, says('Hello.'))}{"type":"use`),
  )
  expect(run.lines).toMatchObject({ total: 4, broken: 1 })
  expect(run.texts).toHaveLength(1)
})

test('UTF-16, as shells on Windows redirect it, is read', async () => {
  const content = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from(lines(init, says('Grüße ✓ 🎉')), 'utf16le'),
  ])
  const run = await readTranscript(await written('utf16.jsonl', content))
  expect(run.texts[0]?.text).toBe('Grüße ✓ 🎉')
  expect(run.lines.broken).toBe(0)
})

test("a session's sub-agents are read along, and do not change how it ended", async () => {
  const frame = { sessionId: 's', cwd: '/home/dev/shop', isSidechain: false }
  const main = {
    ...frame,
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'text', text: 'All done.' }] },
  }
  const call = {
    type: 'tool_use',
    id: 't1',
    name: 'Write',
    input: { file_path: '/home/dev/shop/by-sub.txt' },
  }
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'File created successfully at: x' }
  const side = { ...frame, isSidechain: true }
  const path = await written('session.jsonl', JSON.stringify(main))
  await mkdir(join(directory, 'session', 'subagents'), { recursive: true })
  await writeFile(
    join(directory, 'session', 'subagents', 'agent-a1.jsonl'),
    lines(
      { ...side, type: 'assistant', message: { id: 'n', content: [call] } },
      { ...side, type: 'user', message: { role: 'user', content: [result] } },
    ),
  )
  const run = await readTranscript(path)
  expect(run.ending).toBe('completed')
  expect(run.toolCalls).toMatchObject([{ name: 'Write', subAgent: true, status: 'ok', creates: true }])
})

test('reading can be cancelled', async () => {
  const path = await written('long.jsonl', lines(init))
  await expect(readTranscript(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  })
})
