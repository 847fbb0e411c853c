import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { parseObject } from '../../text/json.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { isLoopPrompt } from '../own-marks.ts'
import { decodeSessionLine } from './session.ts'

/** The file of the session that started a sub-agent, from the sub-agent's own. */
export function parentFile(path: string, parentId: string): string {
  const folder = dirname(path)
  // <project>/<session>/subagents/agent-….jsonl; older versions: <project>/agent-….jsonl
  const project = basename(folder) === 'subagents' ? dirname(dirname(folder)) : folder
  return join(project, `${parentId}.jsonl`)
}

/** Whether the loop began the session: the first thing that was said in it is a prompt of the loop. */
export async function isLoopSession(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // Tidied up by its program: then nobody knows.
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'cannot import')
  })
  if (!file) return false
  try {
    for await (const { text } of linesOf(chunksOf(file))) {
      const line = text === undefined ? undefined : parseObject(text)
      const events = line?.['type'] === 'user' ? decodeSessionLine(line, COLLECT_LIMITS).events : []
      const prompt = events.find((event) => event.kind === 'prompt')
      if (prompt) return isLoopPrompt(prompt.text)
    }
    return false
  } finally {
    await file.close()
  }
}
