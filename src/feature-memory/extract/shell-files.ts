import { posix } from 'node:path'
import { isAbsolutePath, pathFrom } from '../../files/project-path.ts'
import { parseShell, programOf, type SimpleCommand, type Word } from '../../shell/parse-shell.ts'

/** `written`: created or modified, whichever the file's history says. */
export type ShellAction = 'read' | 'written' | 'modified' | 'deleted'

export interface ShellEffect {
  action: ShellAction
  path: string
  /** Where a relative path counts from. */
  directory: string
}

/** A part of a command, and where it ran; undefined when that cannot be told. */
export interface PlacedCommand {
  part: SimpleCommand
  directory: string | undefined
}

export interface ShellEffects {
  effects: ShellEffect[]
  parts: PlacedCommand[]
  /** Where the shell stands afterwards; undefined when that cannot be told. */
  directory: string | undefined
}

/** What a shell command that succeeded did to files, as far as it is plain to see. */
export function shellEffects(command: string, start: string | undefined): ShellEffects {
  const effects: ShellEffect[] = []
  const parts: PlacedCommand[] = []
  const directories = [start]
  for (const part of parseShell(command)) {
    // A subshell begins where its parent stands, and ends there.
    directories.length = Math.min(directories.length, part.depth + 1)
    while (directories.length <= part.depth) directories.push(directories.at(-1))
    const directory = directories.at(-1)
    parts.push({ part, directory })
    // Right of `||` runs only if the left failed; most do not.
    if (part.after === '||') continue
    const target = changedDirectory(part, directory)
    if (target !== 'same') {
      directories[directories.length - 1] = target
    } else if (directory !== undefined) {
      effects.push(...effectsOf(part).map((effect) => ({ ...effect, directory })))
    }
  }
  return { effects, parts, directory: directories[0] }
}

function changedDirectory(part: SimpleCommand, directory: string | undefined): string | undefined | 'same' {
  const { name, args } = programOf(part)
  if (name === 'pushd' || name === 'popd') return undefined
  if (name !== 'cd') return 'same'
  const target = args.find(({ text }) => text !== '--')
  if (!target?.plain || target.text === '-') return undefined
  if (isAbsolutePath(target.text)) return target.text
  return directory === undefined ? undefined : pathFrom(directory, target.text)
}

type Effect = Omit<ShellEffect, 'directory'>

function effectsOf(part: SimpleCommand): Effect[] {
  const { name, args } = programOf(part)
  const redirected = part.redirects
    .filter(({ target }) => target.plain && !target.text.startsWith('/dev/'))
    .map(({ append, target }): Effect => ({ action: append ? 'modified' : 'written', path: target.text }))
  return [...(PROGRAMS[name]?.(args) ?? []), ...redirected]
}

const PROGRAMS: Record<string, (args: Word[]) => Effect[]> = {
  rm: (args) => each('deleted', operands(args)),
  unlink: (args) => each('deleted', operands(args)),
  mv: (args) => moved(args),
  cp: (args) => copied(args),
  touch: (args) => each('written', operands(args)),
  tee: (args) => each(hasFlag(args, /^-a|^--append/) ? 'modified' : 'written', operands(args)),
  sed: (args) => scripted(args),
  perl: (args) => (hasFlag(args, /^-\w*i/) ? scripted(args) : []),
  cat: (args) => each('read', fileLike(operands(args))),
  head: (args) => each('read', fileLike(operands(args))),
  tail: (args) => each('read', fileLike(operands(args))),
  nl: (args) => each('read', fileLike(operands(args))),
  less: (args) => each('read', fileLike(operands(args))),
  git: (args) => gitEffects(args),
}

function gitEffects([subcommand, ...args]: Word[]): Effect[] {
  switch (subcommand?.text) {
    case 'rm':
      // `--cached` takes the file out of the index only.
      return hasFlag(args, /^--cached|^-n$|^--dry-run/) ? [] : each('deleted', operands(args))
    case 'mv':
      return moved(args)
    case 'restore':
      return hasFlag(args, /^--staged|^-S$/) ? [] : each('modified', operands(args))
    case 'checkout': {
      const paths = args.slice(args.findIndex(({ text }) => text === '--') + 1)
      return args.some(({ text }) => text === '--') ? each('modified', operands(paths)) : []
    }
    default:
      return []
  }
}

function moved(args: Word[]): Effect[] {
  if (hasFlag(args, /^-t|^--target-directory|^-n$|^--dry-run/)) return []
  const sources = operands(args).slice(0, -1)
  return [...each('deleted', sources), ...copied(args)]
}

/** The copies, where the target names them: a bare word may be a directory that is there, or a name that is not. */
function copied(args: Word[]): Effect[] {
  const paths = operands(args)
  const target = paths.pop()
  if (!target?.plain || paths.length === 0 || hasFlag(args, /^-t|^--target-directory|^-\w*[rRa]/)) return []
  if (target.text.endsWith('/') || paths.length > 1) {
    return each(
      'written',
      paths.map(({ text, plain }) => ({ text: posix.join(target.text, posix.basename(text)), plain })),
    )
  }
  const looksLikeDirectory = !posix.extname(target.text) && posix.extname(paths[0]!.text) !== ''
  return looksLikeDirectory || /^\.{1,2}$/.test(target.text) ? [] : each('written', [target])
}

/** `sed` and `perl`: the first operand is the script, unless an option gave it. */
function scripted(args: Word[]): Effect[] {
  const inPlace = hasFlag(args, /^-\w*i|^--in-place/)
  const option = args.findIndex(({ text }) => /^-\w*[ef]$|^--(?:expression|file)$/.test(text))
  const words = option === -1 ? args : args.filter((_, index) => index !== option + 1)
  // `sed -i ''`: the empty backup suffix of the BSDs.
  const paths = operands(words).filter(({ text }) => text !== '')
  const files = option === -1 ? paths.slice(1) : paths
  return each(inPlace ? 'modified' : 'read', inPlace ? files : fileLike(files))
}

function each(action: ShellAction, paths: Word[]): Effect[] {
  return paths
    .filter(({ plain, text }) => plain && text !== '' && text !== '-')
    .map(({ text }) => ({ action, path: text }))
}

/** What is no option; after `--` everything. */
function operands(args: Word[]): Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  const options = end === -1 ? args : args.slice(0, end)
  const rest = end === -1 ? [] : args.slice(end + 1)
  return [...options.filter(({ text }) => text === '-' || !text.startsWith('-')), ...rest]
}

/** Numbers and the like are arguments of options, such as `head -n 20 file`. */
function fileLike(words: Word[]): Word[] {
  return words.filter(({ text }) => /[./]/.test(text) && !/^[\d.,]+$/.test(text))
}

function hasFlag(args: Word[], pattern: RegExp): boolean {
  return args.some(({ text }) => pattern.test(text))
}
