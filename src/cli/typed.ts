import { lazy } from '../deferred.ts'
import { commandName } from '../installation.ts'
import { COMMAND_TABLE } from './command-table.ts'

const OURS = lazy(() => {
  const names = COMMAND_TABLE.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  return new RegExp(`(?<![\\w./@-]|npx |exec )ralph (?=(?:${names.join('|')}|help|COMMAND)\\b)`, 'g')
})
const ours = lazy(commandName)

/** With our commands as a person has to type them here: `npx ralph status` where `ralph` is in no search path. */
export function typed(text: string, name = ours()): string {
  return name === 'ralph' ? text : text.replace(OURS(), () => `${name} `)
}
