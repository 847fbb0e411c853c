import { errnoOf, fileError, isRalphError, messageOf, RalphError } from './errors.ts'
import type { Layer, Values } from './settings.ts'
import { camelKeys } from './text/case.ts'
import { isObject } from './text/json.ts'

/** A place that sets something and cannot be used. */
export interface SettingsTrouble {
  /** The file, or "the environment (…)". */
  source: string
  message: string
  hint?: string
}

/** Notes what cannot be used and goes on without it: for whoever tells what is wrong, instead of ending because of it. */
export async function orLeftOut<Value>(
  troubles: SettingsTrouble[] | undefined,
  source: string,
  read: () => Value | Promise<Value>,
  otherwise: Value,
): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (!troubles) throw error
    const hint = isRalphError(error) ? error.hint : undefined
    troubles.push({ source, message: messageOf(error), ...(hint && { hint }) })
    return otherwise
  }
}

/** A project's file is read as ours, through no link; the user's own may lie where the user likes. */
export function fileLayer(path: string, read: (path: string) => Buffer): Layer {
  let text: string
  try {
    text = read(path).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { source: path, values: {} }
    throw fileError(error, path, 'reading the settings')
  }
  return { source: path, values: camelKeys(settingsIn(text, path)) as Values }
}

/** What the text of a settings file says, as it is spelled there. */
export function settingsIn(text: string, path: string): Values {
  try {
    const values: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (isObject(values)) return values
  } catch (error) {
    throw notAnObject(
      path,
      `: ${messageOf(error).split('\n')[0]}`,
      error,
      NOT_JSON.test(text) ? TAKE_OUT : MEND,
    )
  }
  throw notAnObject(path)
}

/** As such files are written elsewhere: a comment, or a comma before a closing bracket. */
const NOT_JSON = /(?:^|[\s{[,])\/[/*]|,\s*[}\]]/
const MEND = 'Mend the file or delete it to use the defaults.'
const TAKE_OUT =
  'Take out comments, and commas before a closing bracket: JSON has none. Or delete the file to use the defaults.'

function notAnObject(path: string, why = '', cause?: unknown, hint = MEND): RalphError {
  return new RalphError('invalid_input', `${path} is not a JSON object${why}`, { hint, cause })
}
