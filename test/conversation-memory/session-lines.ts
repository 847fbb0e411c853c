import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTestConversations } from './open.ts'

export const recordings = fileURLToPath(new URL('../fixtures/session-files', import.meta.url))

export let serial = 0
export const uuid = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`
export const time = () => new Date(Date.parse('2026-05-01T12:00:00Z') + serial * 1_000).toISOString()
export interface Fields {
  [key: string]: unknown
}
export const entry = (type: string, message: Fields | undefined, more: Fields = {}) =>
  JSON.stringify({
    type,
    ...(message && { message }),
    uuid: uuid(),
    timestamp: time(),
    sessionId: 'session-1',
    cwd: '/home/dev/shop',
    isSidechain: false,
    ...more,
  })
export const prompt = (text: string, more?: Fields) => entry('user', { role: 'user', content: text }, more)
export const says = (text: string, more?: Fields) =>
  entry('assistant', { id: uuid(), role: 'assistant', model: 'm', content: [{ type: 'text', text }] }, more)
export const calls = (id: string, name: string, input: Fields) =>
  entry('assistant', {
    id: uuid(),
    role: 'assistant',
    model: 'm',
    content: [{ type: 'tool_use', id, name, input }],
  })
export const gives = (id: string, content: string, isError = false) =>
  entry('user', {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
  })

export async function project(files: { [name: string]: readonly string[] }) {
  const opened = await openTestConversations()
  const root = join(opened.folder, 'projects')
  for (const [name, lines] of Object.entries(files)) await write(join(root, name), lines)
  return { ...opened, root, run: () => opened.conversations.importSessions(root) }
}
export async function write(path: string, lines: readonly string[]) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${lines.join('\n')}\n`)
}

export const fix = [
  prompt('The login test hangs. Please fix it.'),
  says('Let me look.'),
  calls('t1', 'Read', { file_path: '/home/dev/shop/src/login.ts' }),
  gives('t1', 'export const timeout = 0'),
  calls('t2', 'Bash', { command: 'npm test' }),
  gives('t2', 'Exit code 1\nError: ETIMEDOUT', true),
  says('Set the timeout to 120 s. All tests pass.'),
]
