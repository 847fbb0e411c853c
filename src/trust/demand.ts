import { sha256 } from '../text/ids.ts'
import { redact } from '../text/redact.ts'
import { urlWithoutSecrets } from '../text/shown-url.ts'
import { namedFiles } from './named-files.ts'
import { plainly } from './plain-text.ts'

/** Something that a project's files ask for and that a person has to allow: it executes, sends or connects. */
export interface Demand {
  /** Where it stands: `embedder`, `loop`, `discipline frontend`. */
  name: string
  /** What would happen, for the person who decides. */
  effect: string
  /** Exactly what is asked for, one value a line; keys are told of, not shown. */
  lines: string[]
  /** Of exactly this content: a change of a single letter is another demand. */
  hash: string
  /** The project's own files that it names, with hashes of their contents. A function: asked for only where it counts. */
  files: (project: string) => Record<string, string>
}

export function demand(name: string, effect: string, content: object): Demand {
  return {
    name: plainly(name),
    effect,
    lines: linesOf(content, ''),
    hash: sha256(canonical(content)),
    files: (project) => namedFiles(wordsIn(content), project),
  }
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : []
}

/** The same content gives the same text, in whatever order it was written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

const SECRET_NAME = /key|token|secret|password|passwd|authorization|cookie|credential/i

function linesOf(value: unknown, path: string): string[] {
  if (typeof value === 'object' && value !== null && !isCommand(value)) {
    return Object.entries(value).flatMap(([key, item]) => linesOf(item, path ? `${path}.${key}` : key))
  }
  const shown =
    SECRET_NAME.test(path.split('.').at(-1)!) && typeof value === 'string'
      ? '(a key, not shown)'
      : spelled(value)
  return [`${plainly(path)} = ${shown}`]
}

/** A list of words is one value: split over lines nobody could read it. */
function isCommand(value: object): boolean {
  return Array.isArray(value) && value.every((word) => typeof word !== 'object')
}

function spelled(value: unknown): string {
  return plainly(JSON.stringify(typeof value === 'string' ? withoutSecrets(value) : value))
}

function withoutSecrets(text: string): string {
  return text.includes('://') && URL.canParse(text) ? urlWithoutSecrets(text) : redact(text)
}
