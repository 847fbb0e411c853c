import type { Command } from 'commander'
import { UsageError } from '../../../errors.ts'
import { textOfGiven } from '../../../files/given-file.ts'
import { nearestWord } from '../../../text/nearest.ts'
import { idOfKind } from '../../../text/short-id.ts'

/** Flags that set text, by the name of the field. */
export interface TextFlag {
  field: string
  flag: string
  description: string
}

/** `--description "…"`, or `--description @file` for what is longer than a line. */
export function textOption(command: Command, { flag, description }: TextFlag): Command {
  return command.option(`${flag} <text>`, `${description}; @file reads it from a file`, (value: string) =>
    textOrFile(value, flag),
  )
}

function textOrFile(value: string, flag: string): string {
  if (!value.startsWith('@') || value.length === 1) return value
  return textOfGiven(value.slice(1), `cannot read ${flag}`)
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
      const fields = known.map(dashed)
      const near = nearestWord(name, fields)
      throw new UsageError(
        `there is no field "${name}" to clear`,
        `${near ? `Did you mean ${near}? ` : ''}Fields: ${fields.join(', ')}`,
      )
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
  throw new UsageError('nothing to change was given')
}

/** Also with a comma or a `#`, as people write it. */
export function taskId(text: string): number {
  const id = Number(idOfKind('task', text.replace(/^#/, '')))
  if (Number.isSafeInteger(id) && id > 0) return id
  throw new UsageError(`"${text}" is no task id`, 'Ids are numbers; see: ralph task list')
}
