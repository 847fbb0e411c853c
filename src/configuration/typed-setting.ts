import { UsageError } from '../errors.ts'
import { readFlag, type Values } from '../settings.ts'
import { Settings } from '../settings-schema.ts'
import { snakeKeys } from '../text/case.ts'
import { redactValue } from '../text/redact-value.ts'
import { urlWithoutSecrets } from '../text/shown-url.ts'
import type { KnownSetting, SettingPath } from './catalogue.ts'

/** What somebody typed as the value of a setting, checked by the schema that also reads the files. */
export function typedSetting({ key, kind, allowed }: KnownSetting, path: SettingPath, text: string): unknown {
  const value = readAs(kind, text)
  const [group, name] = path
  if (value === undefined || !Settings.safeParse({ [group]: { [name]: value } }).success)
    throw new UsageError(`${key} must be ${allowed}`, `ralph config get ${key} shows what it is now.`)
  return value
}

/** Undefined for what is nothing of the kind. */
function readAs(kind: KnownSetting['kind'], text: string): unknown {
  const trimmed = text.trim()
  switch (kind) {
    case 'number':
    case 'whole number':
      return trimmed === '' ? undefined : Number(trimmed)
    case 'switch':
      return readFlag(trimmed)
    case 'words':
      return trimmed.startsWith('[') ? parsed(trimmed) : plainWords(trimmed)
    case 'list':
      return parsed(trimmed)
    default:
      return trimmed
  }
}

/** Quotes mean something to a shell that we are not: then it takes a list. */
function plainWords(text: string): string[] | undefined {
  return /["'\\]/.test(text) ? undefined : text.split(/\s+/).filter(Boolean)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As the files spell it. */
export function onDisk(value: unknown): unknown {
  return snakeKeys(value)
}

/** What of a value may be shown; another one where it holds a secret. */
export function maskedValue(value: unknown): unknown {
  return typeof value === 'string' && value.includes('://') ? urlWithoutSecrets(value) : redactValue(value)
}

export function valueAt(values: Values, [group, name]: SettingPath): unknown {
  const settings = values[group]
  return typeof settings === 'object' && settings !== null ? (settings as Values)[name] : undefined
}
