import { closeSync, openSync, readSync } from 'node:fs'
import { errnoOf } from '../../errors.ts'
import { asObject, asString, type JsonObject, parseObject } from '../../text/json.ts'
import { isSubAgent, parentThread } from './rollout-lines.ts'

/** What the first line of a rollout says of its thread. */
interface RolloutHead {
  id: string | undefined
  parentId: string | undefined
  cwd: string | undefined
  subAgent: boolean
}

/** The first line is long, since it holds the vendor's prompt; what we look for stands before that. */
const HEAD = 8 * 1024
const LONGEST_FIRST_LINE = 1024 * 1024

/** At once and not in turn: thousands of files are looked into, a few microseconds each. */
export function headOf(path: string): RolloutHead | undefined {
  const beginning = beginningOf(path, HEAD)
  if (beginning === undefined) return undefined
  const [line = ''] = beginning.split('\n', 1)
  const quick = line.includes('"type":"session_meta"') ? fieldsIn(line) : undefined
  if (quick?.id !== undefined && quick.cwd !== undefined) return quick
  const whole = beginning.includes('\n') ? line : beginningOf(path, LONGEST_FIRST_LINE)?.split('\n', 1)[0]
  const meta = asObject(parseObject(whole ?? '')?.['payload'])
  return meta && headIn(meta)
}

function headIn(meta: JsonObject): RolloutHead {
  const parentId = parentThread(meta)
  return { id: asString(meta['id']), parentId, cwd: asString(meta['cwd']), subAgent: isSubAgent(meta) }
}

function fieldsIn(line: string): RolloutHead {
  const parentId = field(line, 'parent_thread_id')
  const subAgent = parentId !== undefined || /"source":\{"subagent"|"thread_source":"subagent"/.test(line)
  return { id: field(line, 'id'), parentId, cwd: field(line, 'cwd'), subAgent }
}

/** In text of JSON a name in quotation marks is never a part of another text: there they are escaped. */
function field(line: string, name: string): string | undefined {
  const found = new RegExp(`[{,]"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(line)?.[1]
  return found === undefined ? undefined : asString(parseObject(`{"found":${found}}`)?.['found'])
}

/** Undefined for what is gone, or not ours to read: whoever reads the whole file says why. */
function beginningOf(path: string, length: number): string | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(length)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, length, 0))
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
