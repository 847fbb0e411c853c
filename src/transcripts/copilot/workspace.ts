import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errnoOf } from '../../errors.ts'
import { asString } from '../../text/json.ts'

/** What Copilot notes of a session beside its events. */
export interface Workspace {
  cwd: string | undefined
  title: string | undefined
}

/** Of the session in an `events.jsonl`; undefined where nothing stands beside it. */
export function workspaceBeside(path: string): Workspace | undefined {
  if (basename(path) !== 'events.jsonl') return undefined
  try {
    const text = readFileSync(join(dirname(path), 'workspace.yaml'), 'utf8')
    return { cwd: field(text, 'cwd'), title: field(text, 'name') }
  } catch (error) {
    // The events tell it too.
    if (errnoOf(error) !== undefined) return undefined
    throw error
  }
}

/** A field of one line, plain or quoted; longer forms are not worth a parser here. */
function field(yaml: string, name: string): string | undefined {
  const value = new RegExp(`^${name}:[ \\t]+(.+?)[ \\t]*\\r?$`, 'm').exec(yaml)?.[1]
  if (value === undefined || /^[|>&*!{[]/.test(value) || value === 'null') return undefined
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value.startsWith('"')) return value
  try {
    return asString(JSON.parse(value))
  } catch {
    return undefined
  }
}
