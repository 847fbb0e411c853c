import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { typedAnswer, yesOrNo } from '../../src/cli/confirm.ts'

function terminal() {
  const input = new PassThrough()
  const output = new PassThrough()
  return { input, streams: { input, output, terminal: true }, shown: () => String(output.read() ?? '') }
}

it('reads what a person types', async () => {
  const { input, streams, shown } = terminal()
  const answer = typedAnswer('Go on? ', streams)
  input.write(' yes \r')
  expect(await answer).toBe('yes')
  expect(shown()).toContain('Go on? ')
})

it.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('ends at %s, and says that nothing was done', async (_, key) => {
  const { input, streams } = terminal()
  const answer = typedAnswer('Go on? ', streams)
  input.write(key)
  await expect(answer).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('nothing was done'),
  })
})

it('asks again after a slip, which is neither yes nor no', async () => {
  const { input, streams, shown } = terminal()
  const answer = yesOrNo('Import them?', true, streams)
  input.write('maybe\r')
  while (!String(shown()).includes('Please answer y or n. Import them? [Y/n] '))
    await new Promise((resolve) => setImmediate(resolve))
  input.write('N\r')
  expect(await answer).toBe(false)
})

it.each([
  ['', true],
  ['YES', true],
  ['no', false],
])('takes %j for %j', async (typed, meant) => {
  const { input, streams } = terminal()
  const answer = yesOrNo('Import them?', true, streams)
  input.write(`${typed}\r`)
  expect(await answer).toBe(meant)
})

it('breaks a question between words where the terminal is narrow', async () => {
  const { input, streams, shown } = terminal()
  Object.assign(streams.output, { isTTY: true, columns: 40 })
  const answer = yesOrNo('Memory tools for Claude Code, in .mcp.json, .cursor/mcp.json?', true, streams)
  input.write('\r')
  await answer
  expect(shown()).toContain('Claude Code, in\n.mcp.json, .cursor/mcp.json? [Y/n] ')
})
