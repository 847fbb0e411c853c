import { closeSync, openSync, readSync } from 'node:fs'
import { errnoOf } from '../../errors.ts'
import { asObject, asString, type JsonObject, parseObject } from '../../text/json.ts'
import { parentThread } from './rollout.ts'

/** What the first line of a rollout says of its thread. */
interface RolloutHead {
  id: string | undefined
  parentId: string | undefined
  cwd: string | undefined
}

/** The first line is long, since it holds the vendor's prompt; what we look for stands before that. */
const HEAD = 8 * 1024
const LONGEST_FIRST_LINE = 1024 * 1024

/** At once and not in turn: thousands of files are looked into, a few microseconds each. */
export function headOf(path: string): RolloutHead | undefined {
  const head = beginningOf(path, HEAD)
  if (head === undefined) return undefined
  const quick = { id: field(head, 'id'), parentId: field(head, 'parent_thread_id'), cwd: field(head, 'cwd') }
  if (head.includes('"session_meta"') && quick.id !== undefined && quick.cwd !== undefined) return quick
  const whole = head.includes('\n') ? head : beginningOf(path, LONGEST_FIRST_LINE)
  const [line = ''] = (whole ?? '').split('\n', 1)
  const meta = asObject(parseObject(line)?.['payload'])
  return meta && headIn(meta)
}

function headIn(meta: JsonObject): RolloutHead {
  return { id: asString(meta['id']), parentId: parentThread(meta), cwd: asString(meta['cwd']) }
}

/** In text of JSON a name in quotation marks is never a part of another text: there they are escaped. */
function field(head: string, name: string): string | undefined {
  const found = new RegExp(`[{,]"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(head.split('\n', 1)[0]!)?.[1]
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
