import { expect, it } from 'vitest'
import { RequestId } from '../../src/mcp/request-id.ts'

it.each([
  ['at the beginning', '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"id":1}}', 7],
  ['at the end', '{"method":"ping","params":{"id":1,"x":[{"id":2}]},"id":7}', 7],
  ['between blanks', '{ "id" : 7 , "method" : "ping" }', 7],
  ['as text', '{"method":"ping","id":"a-7"}', 'a-7'],
  ['as text in any script', '{"method":"ping","id":"日本-é"}', '日本-é'],
  ['as text with what JSON is made of', String.raw`{"method":"ping","id":"}\",\\"}`, '}",\\'],
  ['in what looks like JSON within a text', String.raw`{"method":"x","params":"{\"id\":1}","id":7}`, 7],
  ['not at all', '{"method":"notifications/x","params":{"id":1}}', null],
  ['of an answer, which asks nothing', '{"id":7,"result":{"method":"x"}}', null],
  ['of something else than a request', '[{"id":7,"method":"ping"}]', null],
  ['as something that no id is', '{"id":{"a":1},"method":"ping"}', null],
  ['longer than any id', `{"id":"${'a'.repeat(1_000)}","method":"ping"}`, null],
  ['in no JSON', 'id":7,"method":"ping"', null],
])('the id of a request is found %s', (_, line, id) => {
  const bytes = Buffer.from(`${line}\n`)
  const whole = new RequestId()
  whole.push(bytes)
  expect(whole.value).toBe(id)
  const inPieces = new RequestId()
  for (const byte of bytes) inPieces.push(Buffer.of(byte))
  expect(inPieces.value).toBe(id)
})
