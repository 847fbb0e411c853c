import { open } from 'node:fs/promises'
import { errnoOf, fileError } from '../errors.ts'
import { chunksOf, linesOf } from '../files/lines.ts'
import { type JsonObject, parseObject } from '../text/json.ts'
import type { AgentFormat } from './agent-format.ts'
import type { AgentEvent } from './events.ts'
import { COLLECT_LIMITS } from './limits.ts'
import { isLoopPrompt } from './own-marks.ts'
import { unfolded } from './unfolded.ts'

/** Whether the loop began the session: the first thing that was said in it is a prompt of the loop. */
export async function isLoopSession(path: string, format: AgentFormat): Promise<boolean> {
  const decoder = format.decoder('session', COLLECT_LIMITS)
  for await (const line of linesOfSession(path, format)) {
    const prompt = promptIn(decoder.decode(line).events)
    if (prompt !== undefined) return isLoopPrompt(prompt)
  }
  return isLoopPrompt(promptIn(decoder.end?.() ?? []) ?? '')
}

function promptIn(events: readonly AgentEvent[]): string | undefined {
  return events.find((event) => event.kind === 'prompt')?.text
}

async function* linesOfSession(path: string, format: AgentFormat): AsyncGenerator<JsonObject> {
  const isOwn = (line: JsonObject | undefined) => line !== undefined && format.formatOf(line) === 'session'
  const lines = await unfolded(path, format.agent)
  if (lines) {
    yield* lines.filter(isOwn)
    return
  }
  const file = await open(path, 'r').catch((error: unknown) => {
    // Tidied up by its program: then nobody knows.
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'cannot import')
  })
  if (!file) return
  try {
    for await (const { text } of linesOf(chunksOf(file))) {
      const line = text === undefined ? undefined : parseObject(text)
      if (line && isOwn(line)) yield line
    }
  } finally {
    await file.close()
  }
}
