import { posix } from 'node:path'
import { isAbsolutePath, placeInProject } from '../files/project-path.ts'
import { commandKey } from './command-key.ts'
import { parseShell, programOf } from './parse-shell.ts'

/** A check as it was run: the same words mean another check elsewhere. */
export interface RunCheck {
  command: string
  /** Project-relative; absent when unknown or the project itself. */
  directory?: string | undefined
}

/** Which check it was, however it was written. */
export interface CheckIdentity {
  /** Equal for two runs of the same check; empty when nothing in it could report an error. */
  key: string
  /** Of a runner that knows parts and the whole: which, where, and whether this is all of it or a part. */
  suite?: { name: string; extent: 'whole' | 'part' } | undefined
}

export function identify({ command, directory }: RunCheck, project?: string): CheckIdentity {
  const words = commandKey(command, project)
  const place = directory ?? directoryIn(command, project)
  const at = place === '' ? '' : `${place}: `
  const suite = suiteOf(words)
  return {
    key: words === '' ? '' : `${at}${words}`,
    ...(suite && { suite: { name: `${at}${suite.name}`, extent: suite.extent } }),
  }
}

/** Whether the first is sure to run all that the second runs. */
export function covers(whole: CheckIdentity, part: CheckIdentity): boolean {
  return (
    whole.suite?.extent === 'whole' && part.suite?.extent === 'part' && whole.suite.name === part.suite.name
  )
}

/** Where the command goes before it runs anything: `cd packages/api && npm test`. */
function directoryIn(command: string, project: string | undefined): string {
  let place = ''
  for (const part of parseShell(command)) {
    const { name, args } = programOf(part)
    if (name !== 'cd') break
    const target = args[0]?.text ?? ''
    if (!isAbsolutePath(target)) place = posix.join(place, target.replaceAll('\\', '/'))
    else place = project === undefined ? '' : (placeInProject(target, project) ?? target)
  }
  return place === '.' ? '' : place.replace(/\/+$/, '')
}

/** Runners whose arguments only narrow what they run. `all` stands for everything where nothing named means less. */
const SUITES: readonly { words: readonly string[]; all?: string; filters: readonly string[] }[] = [
  { words: ['vitest', 'run'], filters: ['-t', '--testNamePattern'] },
  { words: ['jest'], filters: ['-t', '--testNamePattern', '--testPathPattern', '--testPathPatterns'] },
  { words: ['cargo', 'test'], filters: [] },
  { words: ['go', 'test'], all: './...', filters: ['-run'] },
]
const LAUNCHERS = new Set(['npx', 'bunx'])
/** They change what is shown, not what is run. */
const SHOWING = /^(?:--(?:reporter|verbose|silent|no-color|color|coverage)(?:=.*)?|-v)$/

/** Other programs decide by their settings what runs without arguments: nobody can be sure that it is all. */
function suiteOf(command: string): { name: string; extent: 'whole' | 'part' } | undefined {
  const words = command.split(' ').filter((word) => !SHOWING.test(word))
  if (LAUNCHERS.has(words[0]!)) words.shift()
  const suite = SUITES.find((known) => known.words.every((word, at) => words[at] === word))
  if (!suite) return undefined
  const rest = words.slice(suite.words.length)
  const name = suite.words.join(' ')
  if (suite.all === undefined ? rest.length === 0 : rest.join(' ') === suite.all)
    return { name, extent: 'whole' }
  const narrows = (word: string, at: number) =>
    !/^-|^[&|;]/.test(word) || suite.filters.includes(word) || suite.filters.includes(rest[at - 1] ?? '')
  return rest.length > 0 && rest.every(narrows) ? { name, extent: 'part' } : undefined
}
