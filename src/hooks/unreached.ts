import { open } from 'node:fs/promises'
import { SERVER_NAME } from '../agent-config/mcp-config.ts'
import { chunksOf, linesOf } from '../files/lines.ts'

/**
 * How Claude Code notes in the transcript of a session that a hook found no server of ours to answer it, or one that knows no
 * hooks. Of the transcript's own fields: what somebody has said there has its quotation marks escaped.
 */
const MARKS = [
  `"stderr":"MCP server '${SERVER_NAME}' not connected"`,
  `"stderr":"MCP server 'plugin:ralph-memory:${SERVER_NAME}' not connected"`,
  '"stderr":"Tool hook not found"',
]

/** How often that was in this part of the transcript. */
export async function countUnreached(
  transcript: string,
  part: { from: number; to: number },
): Promise<number> {
  const file = await open(transcript, 'r')
  let count = 0
  try {
    for await (const { text } of linesOf(chunksOf(file, part.from, part.to)))
      if (text !== undefined && MARKS.some((mark) => text.includes(mark))) count++
  } finally {
    await file.close()
  }
  return count
}
