import type { Command } from 'commander'
import { HELP_TOPICS } from './help/topics.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Completion {
  /** The words typed so far, e.g. "memory search"; empty at the start. */
  path: string
  words: { word: string; description: string }[]
}

/** A script that completes commands and options; made from the command definitions, so it cannot lag behind. */
export function completionScript(program: Command, shell: Shell): string {
  const [root, ...rest] = placesOf(program, [])
  const help = { word: 'help', description: 'a command, a group of them, or a topic' }
  const topics = Object.entries(HELP_TOPICS).map(([word, description]) => ({ word, description }))
  const commands = root!.words.filter(({ word }) => !word.startsWith('-'))
  const places = [
    { ...root!, words: [...root!.words, help] },
    { path: 'help', words: [...commands, ...topics] },
    ...rest,
  ]
  return shell === 'fish' ? fishScript(places) : bashScript(places, shell)
}

function placesOf(command: Command, path: readonly string[]): Completion[] {
  const words = [
    ...command.commands.map((child) => ({ word: child.name(), description: child.description() })),
    ...command.options
      .filter(({ long, hidden }) => long && !hidden)
      .map((option) => ({ word: option.long!, description: option.description })),
  ]
  return [
    { path: path.join(' '), words },
    ...command.commands.flatMap((child) => placesOf(child, [...path, child.name()])),
  ]
}

/** zsh runs the same script through its bash emulation. */
function bashScript(places: readonly Completion[], shell: 'bash' | 'zsh'): string {
  const cases = places.map(
    ({ path, words }) =>
      `    ${JSON.stringify(path)}) words=${JSON.stringify(words.map(({ word }) => word).join(' '))} ;;`,
  )
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_ralph() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    path="\${path:+$path }$word"
  done
  while :; do
    case "$path" in
${cases.join('\n')}
    esac
    [ -n "$words" ] && break
    case "$path" in *" "*) path="\${path% *}" ;; *) break ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _ralph ralph
`
}

function fishScript(places: readonly Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ path, words }) => {
    const parents = path === '' ? [] : path.split(' ')
    const condition =
      parents.length === 0
        ? '__fish_use_subcommand'
        : parents.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
    return words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      return `complete -c ralph -n ${quote(condition)} ${what} -d ${quote(description)}`
    })
  })
  return `${lines.join('\n')}\n`
}
