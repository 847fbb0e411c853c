import { closeSync, fstatSync, readSync } from 'node:fs'
import { openOwnFileNow } from '../../files/own-files.ts'
import { asArray, asNumber, asObject, asString, objects, parseObject } from '../../text/json.ts'

/** The line that is looked for is the last or one of the last, with up to 65,536 characters of output in it. */
const TAIL_BYTES = 400_000

export interface EndedCommand {
  exitCode: number
  /** The files that it did nothing but read. */
  read: string[]
}

/** How a command of a Codex session came out, from the end of the session's file; undefined where it does not say. */
export function endedCommand(
  rollout: string | undefined,
  callId: string | undefined,
): EndedCommand | undefined {
  if (rollout === undefined || callId === undefined) return undefined
  const mark = JSON.stringify(callId)
  for (const line of tailOf(rollout).split('\n').reverse()) {
    if (!line.includes('"item_completed"') || !line.includes(mark)) continue
    const item = asObject(asObject(parseObject(line)?.['payload'])?.['item'])
    if (item?.['type'] !== 'CommandExecution' || item['id'] !== callId) continue
    const exitCode = asNumber(item['exit_code'])
    return exitCode === undefined ? undefined : { exitCode, read: readFiles(item['parsed_cmd']) }
  }
  return undefined
}

function readFiles(parsed: unknown): string[] {
  const parts = objects(asArray(parsed))
  if (parts.some(({ type }) => type !== 'read')) return []
  return parts.flatMap(({ path }) => asString(path) ?? [])
}

/** Nothing where there is no such file, or something that is no file: a pipe would keep us waiting. */
function tailOf(path: string): string {
  let file: number | undefined
  try {
    file = openOwnFileNow(path, 'read')
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString('utf8', 0, length)
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
