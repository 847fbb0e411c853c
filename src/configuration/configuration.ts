import { isDeepStrictEqual } from 'node:util'
import { type Config, givenLayer, projectLayer, type SettingsInput, userLayer } from '../config.ts'
import { isRalphError, messageOf } from '../errors.ts'
import { environmentLayer, SERVICE_ADDRESSES, SERVICE_KEYS, type Values } from '../settings.ts'
import { checkedLayer } from '../settings-schema.ts'
import { everySetting, type KnownSetting, type SettingPath, settingNamed } from './catalogue.ts'
import { changeSetting, type SettingPlace } from './setting-file.ts'
import { maskedValue, onDisk, typedSetting, valueAt } from './typed-setting.ts'

export type { SettingPlace } from './setting-file.ts'

const SETTING_ORIGINS = ['given', 'environment', 'project', 'user', 'default'] as const
export type SettingOrigin = (typeof SETTING_ORIGINS)[number]

/** What one place says of a setting. */
export interface SettingMention {
  origin: SettingOrigin
  /** The file or the variable. */
  source: string
  /** Absent where it may not be shown. */
  value?: unknown
  /** What may be shown of it. */
  shown: string
  /** It has no effect until a person trusts it. */
  waitsForTrust: boolean
}

/** A setting with its value, where that comes from and what else is said of it. */
export interface Setting extends KnownSetting {
  origin: SettingOrigin
  source?: string
  value?: unknown
  /** Empty when it is not set and has no default. */
  shown: string
  /** All that is said of it, the strongest first. */
  mentions: SettingMention[]
  /** Another value than that with which this process was started. */
  afterRestart: boolean
}

export interface SettingsReport {
  files: { user: string; project: string }
  settings: Setting[]
  /** Files that cannot be read: they are passed over here. */
  troubles: { source: string; message: string; hint?: string }[]
}

export interface SettingChange {
  changed: boolean
  file: string
  setting: Setting
}

export interface ConfigurationParts {
  config: Config
  env: NodeJS.ProcessEnv
  /** By flags, or by the program that opened memory. */
  given?: SettingsInput | undefined
  /** Refuses to agents what is for a person; `deed` completes "an agent cannot …". */
  requirePerson: (deed: string) => Promise<void>
}

interface Place {
  origin: SettingOrigin
  source: string
  values: Values
  /** What of it has an effect; all unless told. */
  effective?: Values
}

type Said = Pick<SettingMention, 'origin' | 'source' | 'waitsForTrust'> & { value: unknown }

/** The settings as the files and the environment have them now, where each comes from, and how to change one. */
export class Configuration {
  readonly #parts: ConfigurationParts

  /** @internal */
  constructor(parts: ConfigurationParts) {
    this.#parts = parts
  }

  async list(): Promise<SettingsReport> {
    const { userFile: user, projectFile: project } = this.#parts.config.paths
    const { places, troubles } = await this.#places()
    const settings = everySetting().map(({ known, path }) => this.#setting(known, path, places))
    return { files: { user, project }, settings, troubles }
  }

  async get(key: string): Promise<Setting> {
    const { known, path } = settingNamed(key)
    return this.#setting(known, path, (await this.#places()).places)
  }

  /** Takes it as somebody types it. */
  async set(key: string, text: string, place: SettingPlace): Promise<SettingChange> {
    const { known, path } = settingNamed(key)
    return this.#change(known, path, typedSetting(known, path, text), place)
  }

  async unset(key: string, place: SettingPlace): Promise<SettingChange> {
    const { known, path } = settingNamed(key)
    return this.#change(known, path, undefined, place)
  }

  async #change(
    known: KnownSetting,
    path: SettingPath,
    value: unknown,
    place: SettingPlace,
  ): Promise<SettingChange> {
    const { config, requirePerson } = this.#parts
    await requirePerson('change settings')
    const changed = await changeSetting(config, place, path, value)
    const file = place === 'user' ? config.paths.userFile : config.paths.projectFile
    return { changed, file, setting: await this.get(known.key) }
  }

  /** The strongest first. */
  async #places(): Promise<{ places: Place[]; troubles: SettingsReport['troubles'] }> {
    const { config, env, given } = this.#parts
    const { userFile, projectFile } = config.paths
    const troubles: SettingsReport['troubles'] = []
    const read = async (source: string, values: () => Promise<Omit<Place, 'source' | 'origin'>>) => {
      try {
        return { source, ...(await values()) }
      } catch (error) {
        const hint = isRalphError(error) ? error.hint : undefined
        troubles.push({ source, message: messageOf(error), ...(hint && { hint }) })
        return { source, values: {} }
      }
    }
    const project = await read(projectFile, async () => {
      const { asked, effective } = await projectLayer(config)
      return { values: asked, effective }
    })
    const user = await read(userFile, async () => checkedLayer(userLayer(config.paths)))
    const places: Place[] = [
      { origin: 'given', ...givenLayer(given) },
      { origin: 'environment', ...environmentLayer(env) },
      { origin: 'project', ...project },
      { origin: 'user', ...user },
    ]
    return { places, troubles }
  }

  #setting(known: KnownSetting, path: SettingPath, places: readonly Place[]): Setting {
    const said = [...this.#said(known, path, places), ...this.#ofService(known, path, places)]
    const strongest = said.find(({ waitsForTrust }) => !waitsForTrust)
    const value = strongest ? strongest.value : known.default
    return {
      ...known,
      origin: strongest?.origin ?? 'default',
      ...(strongest && { source: strongest.source }),
      ...shownValue(known, value),
      mentions: said.map(({ value: one, ...mention }) => ({ ...mention, ...shownValue(known, one) })),
      afterRestart: !isDeepStrictEqual(valueAt(this.#parts.config.settings, path), value),
    }
  }

  #said({ variables }: KnownSetting, path: SettingPath, places: readonly Place[]): Said[] {
    const { env } = this.#parts
    return places.flatMap(({ origin, source, values, effective = values }) => {
      const value = valueAt(values, path)
      if (value === undefined) return []
      const variable = origin === 'environment' ? variables.find((name) => env[name]) : undefined
      const waitsForTrust = valueAt(effective, path) === undefined
      return [{ origin, source: variable ?? source, value, waitsForTrust }]
    })
  }

  /** What somebody has set for other programs of the same service counts where nothing else is said. */
  #ofService({ secret }: KnownSetting, [group, name]: SettingPath, places: readonly Place[]): Said[] {
    if (!secret && name !== 'url') return []
    const provider = places
      .map(({ values, effective = values }) => valueAt(effective, [group, 'provider']))
      .find((one) => one !== undefined)
    const address = SERVICE_ADDRESSES[String(provider)]
    const variable = secret ? SERVICE_KEYS[String(provider)] : address?.variable
    const said = variable && this.#parts.env[variable]
    if (!said) return []
    const value = secret ? said : address?.read(said)
    return [{ origin: 'environment', source: variable, value, waitsForTrust: false }]
  }
}

const HIDDEN = '(set, not shown)'

/** A value that holds a secret is only told of. */
function shownValue({ secret }: KnownSetting, value: unknown): { value?: unknown; shown: string } {
  if (value === undefined) return { shown: '' }
  if (secret) return { shown: HIDDEN }
  const masked = maskedValue(value)
  const shown = typeof masked === 'string' ? masked : JSON.stringify(onDisk(masked))
  return isDeepStrictEqual(masked, value) ? { value: onDisk(value), shown } : { shown }
}
