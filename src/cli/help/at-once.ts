import { version } from '../../version.ts'
import { typed } from '../typed.ts'
import { helpLook } from './look.ts'
import { allCommands, overview } from './overview.ts'

/** What is asked before anything else, by scripts and by people: no reason to load anything for it. */
export function saidAtOnce(words: readonly string[]): string | undefined {
  const asked = words.join(' ')
  if (['--version', '-V', '-v', 'version'].includes(asked)) return `${version}\n`
  if (['', 'help', '--help', '-h'].includes(asked)) return typed(overview(helpLook()))
  return ['help --all', '--help --all', 'help all'].includes(asked)
    ? typed(allCommands(helpLook()))
    : undefined
}
