import { type FileHandle, open } from 'node:fs/promises'
import { errnoOf } from '../errors.ts'
import { type JsonObject, parseObject } from '../text/json.ts'
import { documentLines, storedLines } from './agent-format.ts'
import type { AgentName } from './agents.ts'

/** No agent writes a document of this size; what is larger is a file of lines. */
const LARGEST_DOCUMENT = 64 * 1024 * 1024
/** A line that is longer than this is the only one, or none of a document. */
const LONGEST_FIRST_LINE = 1024 * 1024

/**
 * The lines of a session that is no file of lines: one JSON document, or rows of a database. Undefined for everything else,
 * which includes what cannot be read: whoever reads it as lines says why.
 */
export async function unfolded(path: string, agent?: AgentName): Promise<JsonObject[] | undefined> {
  return (await storedLines(path, agent)) ?? (await unfoldedDocument(path, agent))
}

async function unfoldedDocument(
  path: string,
  agent: AgentName | undefined,
): Promise<JsonObject[] | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    if (!(await mayBeDocument(file))) return undefined
    const value = parseObject(await file.readFile('utf8'))
    return value && documentLines(value, agent)
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined
    throw error
  } finally {
    await file.close()
  }
}

/** A first line that is an object of its own, with more behind it, begins a file of lines. */
async function mayBeDocument(file: FileHandle): Promise<boolean> {
  const stats = await file.stat()
  if (!stats.isFile() || stats.size === 0 || stats.size > LARGEST_DOCUMENT) return false
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(stats.size, LONGEST_FIRST_LINE)), {
    position: 0,
  })
  const head = buffer.toString('utf8', 0, bytesRead)
  if (!head.trimStart().startsWith('{')) return false
  const end = head.indexOf('\n')
  const isOnlyLine = end === -1 || head.slice(end).trim() === ''
  return isOnlyLine || parseObject(head.slice(0, end)) === undefined
}
