import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { RalphError } from '../../../errors.ts'

/** Flags that set text, by the name of the field. */
export interface TextFlag {
  field: string
  flag: string
  description: string
}

/** `--description "…"`, or `--description @file` for what is longer than a line. */
export function textOption(command: Command, { flag, description }: TextFlag): Command {
  return command.option(`${flag} <text>`, `${description}; @file reads it from a file`, textOrFile)
}

function textOrFile(value: string): string {
  if (!value.startsWith('@') || value.length === 1) return value
  try {
    return readFileSync(value.slice(1), 'utf8').trimEnd()
  } catch {
    throw new InvalidArgumentError(`${value.slice(1)} cannot be read.`)
  }
}

/** `--clear description architecture`: the fields to be emptied, as a patch of nulls. */
export function clearedFields(
  names: readonly string[] | undefined,
  known: readonly string[],
): Record<string, null> {
  const patch: Record<string, null> = {}
  for (const name of names ?? []) {
    const field = name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
    if (!known.includes(field)) {
      throw new RalphError('invalid_input', `there is no field "${name}" to clear`, {
        hint: `Fields: ${known.map(dashed).join(', ')}`,
      })
    }
    patch[field] = null
  }
  return patch
}

function dashed(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Refuses a `set` that sets nothing, which is always a mistake. */
export function requireChange(patch: object): void {
  if (Object.values(patch).some((value) => value !== undefined)) return
  throw new RalphError('invalid_input', 'nothing to change was given', {
    hint: 'Add --help to see what can be set.',
  })
}
