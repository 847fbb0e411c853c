import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../config.ts'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { makeOwnFolder, readOwnFile } from '../files/own-files.ts'
import { announceChange, noteChange, type SettingValueChange } from '../noted-change.ts'
import type { Values } from '../settings.ts'
import { settingsIn } from '../settings-layers.ts'
import { checkedLayer } from '../settings-schema.ts'
import { camelKeys, snakeKey } from '../text/case.ts'
import { isObject } from '../text/json.ts'
import { removeAt, setIn } from '../text/jsonc-edit.ts'
import type { SettingPath } from './catalogue.ts'
import { maskedValue, onDisk, valueAt } from './typed-setting.ts'

/** Whose file: this user's, for all projects, or that of the project, for everybody who works on it. */
export type SettingPlace = 'user' | 'project'

/** Sets or, without a value, removes one setting in a file, which is otherwise left as it was written. False when nothing changed. */
export async function changeSetting(
  { paths }: Config,
  place: SettingPlace,
  path: SettingPath,
  value: unknown,
): Promise<boolean> {
  const file = place === 'user' ? paths.userFile : paths.projectFile
  if (place === 'project' && !existsSync(paths.database)) throw noProject(file)
  makeOwnFolder(dirname(file))
  // Beside the file: a cache that is cleared under writers must not take their lock along.
  return withFileLock(`${file}.lock`, async () => {
    const before = textOf(file, place)
    const after = edited(before, file, path, value)
    if (after === before) return false
    checkedLayer({ source: file, values: camelKeys(settingsIn(after, file)) as Values })
    const former = valueIn(before, file, path)
    const isSecret =
      path[1] === 'apiKey' || [former, value].some((one) => !isDeepStrictEqual(one, maskedValue(one)))
    const values = isSecret ? { secret: true as const } : { before: former, after: value }
    const change: SettingValueChange = { of: 'settings', place, path, ...values }
    announceChange(change)
    await write(file, after, place)
    noteChange(change)
    return true
  })
}

/** Whether a setting has the value that a change gave it; of a secret nobody can tell, and it is told as changed. */
export function isSettingAsLeftBy({ paths }: Config, change: SettingValueChange): boolean {
  const { place, path, after, secret } = change
  const file = place === 'user' ? paths.userFile : paths.projectFile
  return secret === true || isDeepStrictEqual(plain(valueIn(textOf(file, place), file, path)), plain(after))
}

/** Takes a noted change back; refused when the setting has another value since. */
export async function takeSettingBack(config: Config, change: SettingValueChange): Promise<void> {
  const { place, path, before } = change
  const file = place === 'user' ? config.paths.userFile : config.paths.projectFile
  const key = path.map(snakeKey).join('.')
  if (!isSettingAsLeftBy(config, change))
    throw new RalphError('conflict', `${key} has changed since in ${file}: nothing was undone`, {
      hint: `See how it is now: ralph config get ${key}`,
    })
  await changeSetting(config, place, path, before)
}

function valueIn(text: string, file: string, path: SettingPath): unknown {
  return text.trim() === '' ? undefined : valueAt(camelKeys(settingsIn(text, file)) as Values, path)
}

/** As it comes back from a file. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function edited(text: string, file: string, path: SettingPath, value: unknown): string {
  const there = text.trim() === '' ? {} : settingsIn(text, file)
  const group = spelledIn(there, path[0])
  const settings = isObject(there[group]) ? there[group] : {}
  const name = spelledIn(settings, path[1])
  if (value !== undefined) return setIn(text, [group, name], onDisk(value))
  if (!(name in settings)) return text
  return removeAt(text, Object.keys(settings).length === 1 ? [group] : [group, name])
}

/** The key as it stands there, which may be in either spelling. */
function spelledIn(there: Values, key: string): string {
  return Object.keys(there).find((other) => snakeKey(other) === snakeKey(key)) ?? snakeKey(key)
}

/** The user's own file may lie where the user likes; the project's is read through no link. */
function textOf(file: string, place: SettingPlace): string {
  try {
    return (place === 'user' ? readFileSync(file) : readOwnFile(file)).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ''
    throw fileError(error, file, 'reading the settings')
  }
}

async function write(file: string, text: string, place: SettingPlace): Promise<void> {
  if (!existsSync(file)) return writeFileAtomically(file, text, place === 'user' ? { mode: 0o600 } : {})
  const target = place === 'user' ? realpathSync(file) : file
  await writeFileAtomically(target, text, { mode: statSync(target).mode & 0o777 })
}

function noProject(file: string): RalphError {
  return new RalphError('not_found', `${file} cannot be made: this project has no memory yet`, {
    hint: 'ralph init, or set it for yourself instead.',
  })
}
