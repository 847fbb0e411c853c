import { join } from 'node:path'
import { asObject } from '../text/json.ts'
import { getIn } from '../text/jsonc-edit.ts'
import { type HookPlaces, type HookScope, hooksFile } from './claude-hooks.ts'
import { EditedFile } from './edited-file.ts'

/** As our marketplace names it; which one it came from follows an @. */
const PLUGIN = 'ralph-memory'

/** Whether Claude Code has our plugin switched on for this project: then hooks and tools come from there. */
export async function isPluginEnabled(places: HookPlaces & { home: string }): Promise<boolean> {
  let enabled = false
  // The nearer settings have the last word.
  for (const scope of ['user', 'project', 'local'] satisfies HookScope[]) {
    for (const [name, on] of Object.entries(await pluginsIn(hooksFile(scope, places), places)))
      if (name.split('@')[0] === PLUGIN) enabled = on === true
  }
  return enabled
}

async function pluginsIn(path: string, { project, home }: HookPlaces & { home: string }): Promise<object> {
  try {
    const text = await new EditedFile({ path, project, undoDir: join(home, 'undo'), part: 'plugin' }).read()
    return (text !== undefined && asObject(getIn(text, ['enabledPlugins']))) || {}
  } catch {
    return {} // whoever writes into it says what is wrong with it
  }
}
