import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { asString, parseObject } from '../../text/json.ts'

/** The session whose sub-agent wrote the file: those lie in `chats/<session>/`. */
export function parentOf(path: string): string | undefined {
  const folder = dirname(path)
  return basename(dirname(folder)) === 'chats' ? basename(folder) : undefined
}

/** What the sub-agents of a session did: `chats/<session>/<agent>.jsonl` beside `chats/session-….jsonl`. */
export async function geminiSubAgentFiles(path: string): Promise<string[]> {
  if (!path.endsWith('.jsonl') || parentOf(path) !== undefined) return []
  const sessionId = await sessionIdOf(path)
  if (sessionId === undefined || basename(sessionId) !== sessionId) return []
  const folder = join(dirname(path), sessionId)
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => join(folder, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, "cannot read the sub-agents' transcripts")
  }
}

/** The file of the session that started a sub-agent: its name ends with the beginning of the id. A resumed one is the older. */
export async function geminiParentFile(path: string, parentId: string): Promise<string | undefined> {
  const chats = dirname(dirname(path))
  // Tidied up by its program: then nobody knows.
  const names = await readdir(chats).catch(() => [])
  const named = names.filter((name) => name.endsWith(`-${parentId.slice(0, 8)}.jsonl`)).sort()
  for (const name of named) if ((await sessionIdOf(join(chats, name))) === parentId) return join(chats, name)
  return undefined
}

/** The first line names it. */
async function sessionIdOf(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw fileError(error, path, 'cannot read the transcript')
  })
  try {
    for await (const { text } of linesOf(chunksOf(file)))
      return asString(parseObject(text ?? '')?.['sessionId'])
    return undefined
  } finally {
    await file.close()
  }
}
