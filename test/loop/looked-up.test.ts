import { expect, it } from 'vitest'
import { lookedUp } from '../../src/loop/after/looked-up.ts'
import type { ToolCall } from '../../src/transcripts/agent-run.ts'

function call(given: Partial<ToolCall>): ToolCall {
  const nothing = { id: 'c', name: 'tool', paths: [], command: undefined, creates: undefined }
  return { ...nothing, kind: 'other', subAgent: false, status: 'ok', output: '', ...given }
}
const shell = (command: string, output = '') => call({ kind: 'shell', command, output })
const isSeen = (one: ToolCall) => lookedUp({ toolCalls: [one] }) === 1

it.each([
  '/shop/.ralph/db/memory/auth.jsonl',
  '.ralph/db/features.yaml',
  String.raw`C:\shop\.ralph\db\memory\auth.jsonl`,
  '/shop/.ralph/receipts/2026-11.jsonl',
  '/shop/.ralph/cache/loop/logs/20261118T024759123-1a2b3c4d.prompt.md',
  '/home/ann/.ralph/ralph.db',
])('sees that %s was read', (path) => {
  expect(isSeen(call({ kind: 'read', paths: [path] }))).toBe(true)
  expect(isSeen(call({ kind: 'search', paths: ['src/pay.ts', path] }))).toBe(true)
})

it.each([
  ['cat .ralph/db/memory/auth.jsonl | tail -3'],
  [`python3 -c "print(open('.ralph/db/memory/auth.jsonl').read())"`],
  ['cd .ralph/db && cat memory/auth.jsonl'],
  ['grep -rn basketTotal .', './.ralph/db/memory/auth.jsonl:7:{"record":{"summary":"basketTotal"}}'],
  ['git log -p', 'diff --git a/x b/x\n+++ b/.ralph/db/memory/auth.jsonl\n+{"record":{}}'],
  ['for f in .ralph/db/memory/*; do cat $f; done'],
])('sees that %j shows it', (command, output = '') => expect(isSeen(shell(command, output))).toBe(true))

it('counts each call', () => {
  const read = call({ kind: 'read', paths: ['.ralph/db/memory/auth.jsonl'] })
  expect(lookedUp({ toolCalls: [read, shell('ls'), read] })).toBe(2)
})

it.each([
  ['its own board', call({ kind: 'read', paths: ['/shop/.ralph/db/tasks.yaml'] })],
  ['its own prompt', call({ kind: 'read', paths: ['/shop/.ralph/cache/loop/work/1.prompt.md'] })],
  ['a file of that name elsewhere', call({ kind: 'read', paths: ['src/db/memory/pool.ts'] })],
  ['what could not be read', call({ kind: 'read', status: 'failed', paths: ['.ralph/db/features.yaml'] })],
  ['names alone', shell('ls -R .ralph/db/memory', '.ralph/db/memory:\nauth.jsonl')],
  ['what is committed', shell('git add .ralph/db/memory && git commit -m "Keep the journal"')],
  ['a status', shell('git status --short', ' M .ralph/db/memory/auth.jsonl')],
  ['our own command', shell('ralph memory search .ralph/db/memory')],
  ['a change of tasks.yaml', shell("sed -i 's/pending/done/' .ralph/db/tasks.yaml")],
])('takes %s for no look into memory', (_, one) => expect(isSeen(one)).toBe(false))
