import { expect, it } from 'vitest'
import { type HookAnswerer, HookCalls } from '../../src/mcp/hook-calls.ts'

const FIELDS = { hook_event_name: 'Stop', session_id: 's', cwd: '/shop' }

function wire(load: (answering: HookAnswerer) => Promise<HookAnswerer> = async (answering) => answering) {
  const asked: object[] = []
  const answering: HookAnswerer = {
    prepare: async () => undefined,
    answer: async (fields) => {
      asked.push(fields)
      return 'said'
    },
  }
  const written: { id: unknown; result: unknown }[] = []
  const calls = new HookCalls(
    () => load(answering),
    (line) => written.push(JSON.parse(line)),
  )
  const send = (message: object) => calls.take(Buffer.from(`${JSON.stringify(message)}\n`))
  const greet = (name: string) => send({ id: 0, method: 'initialize', params: { clientInfo: { name } } })
  const call = (more: object = {}, name = 'hook') =>
    send({ id: 7, method: 'tools/call', params: { name, arguments: FIELDS, ...more } })
  return { asked, written, send, greet, call }
}

it('answers the hooks of Claude Code, and leaves every other line alone', async () => {
  const { asked, written, send, greet, call } = wire()
  expect(greet('claude-code')).toBe(false)
  expect(call()).toBe(true)
  await expect
    .poll(() => written)
    .toMatchObject([{ id: 7, result: { content: [{ type: 'text', text: 'said' }] } }])
  expect(asked).toEqual([FIELDS])
  expect(call({}, 'recall')).toBe(false)
  expect(send({ id: 1, method: 'tools/list', params: { cursor: 'hook' } })).toBe(false)
  expect(send({ method: 'tools/call', params: { name: 'hook' } })).toBe(false)
})

it('knows Claude Code also where every request says who asks', () => {
  const { call } = wire()
  const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'claude-code' } }
  expect(call({ _meta })).toBe(true)
})

it('is no tool for anybody else, nor for a model', () => {
  const other = wire()
  expect(other.call()).toBe(false)
  other.greet('cursor')
  expect(other.call()).toBe(false)
  const model = wire()
  model.greet('claude-code')
  expect(model.call({ _meta: { 'claudecode/toolUseId': 'toolu_1' } })).toBe(false)
  expect([...other.asked, ...model.asked]).toEqual([])
})

it('says nothing where the answers cannot be loaded: an error would show at every step', async () => {
  const { written, greet, call } = wire(() => Promise.reject(new Error('gone')))
  greet('claude-code')
  expect(call()).toBe(true)
  await expect
    .poll(() => written)
    .toEqual([expect.objectContaining({ id: 7, result: expect.objectContaining({ content: [] }) })])
})
